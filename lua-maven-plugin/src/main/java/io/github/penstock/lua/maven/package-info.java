/** The Maven goals of the Lua build step. */
@NullMarked
package io.github.penstock.lua.maven;

import org.jspecify.annotations.NullMarked;
