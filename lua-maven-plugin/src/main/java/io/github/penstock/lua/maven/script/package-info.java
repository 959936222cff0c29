/** A script as a whole: its includes, its header, and the checks that hold them together. */
@NullMarked
package io.github.penstock.lua.maven.script;

import org.jspecify.annotations.NullMarked;
