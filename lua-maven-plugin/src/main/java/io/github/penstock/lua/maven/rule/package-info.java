/** The rules that a source breaks. Every check reports here, and Maven prints the reports. */
@NullMarked
package io.github.penstock.lua.maven.rule;

import org.jspecify.annotations.NullMarked;
