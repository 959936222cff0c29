/**
 * Files as they are written, and scripts with their includes in place. Every line and every word of
 * a script is still known by the file it came from.
 */
@NullMarked
package io.github.penstock.lua.maven.source;

import org.jspecify.annotations.NullMarked;
