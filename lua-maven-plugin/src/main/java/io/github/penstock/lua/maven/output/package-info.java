/** What the build writes: scripts, manifest, Java sources, Functions library. */
@NullMarked
package io.github.penstock.lua.maven.output;

import org.jspecify.annotations.NullMarked;
