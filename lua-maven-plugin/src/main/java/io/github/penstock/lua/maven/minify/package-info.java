/** The minified form of a script and the proof that it is the same program. */
@NullMarked
package io.github.penstock.lua.maven.minify;

import org.jspecify.annotations.NullMarked;
