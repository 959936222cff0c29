/**
 * The files that the build writes: scripts, manifest, Java sources, Functions library. Nothing here
 * reads a source.
 */
@NullMarked
package io.github.penstock.lua.maven.output;

import org.jspecify.annotations.NullMarked;
