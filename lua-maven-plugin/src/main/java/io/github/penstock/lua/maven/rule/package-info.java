/** The rules that a source breaks. Every check reports here, and Maven prints what was reported. */
@NullMarked
package io.github.penstock.lua.maven.rule;

import org.jspecify.annotations.NullMarked;
