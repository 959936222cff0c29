/**
 * The Maven goals of the Lua build step. They turn parameters into settings and broken rules into a
 * failed build.
 */
@NullMarked
package io.github.penstock.lua.maven;

import org.jspecify.annotations.NullMarked;
