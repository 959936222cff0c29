/**
 * The checks of a whole script: its names, indices, replies, globals and commands. Each takes the
 * syntax tree and reports violations of a rule.
 */
@NullMarked
package io.github.penstock.lua.maven.check;

import org.jspecify.annotations.NullMarked;
