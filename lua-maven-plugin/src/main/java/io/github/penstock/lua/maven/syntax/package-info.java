/**
 * Lua 5.1 as Redis speaks it: tokens, syntax tree, scopes. Syntax of later versions is read as
 * well, so that the message can name it.
 */
@NullMarked
package io.github.penstock.lua.maven.syntax;

import org.jspecify.annotations.NullMarked;
