/** Lua 5.1 as Redis speaks it: tokens, syntax tree, scopes. */
@NullMarked
package io.github.penstock.lua.maven.syntax;

import org.jspecify.annotations.NullMarked;
