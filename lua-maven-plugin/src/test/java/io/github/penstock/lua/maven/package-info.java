/** Tests of the Lua build step; no fake of Redis anywhere. */
package io.github.penstock.lua.maven;
