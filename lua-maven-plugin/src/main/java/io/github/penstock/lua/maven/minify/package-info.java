/**
 * The minified form of a script, and the proof that it is the same program. Names become short, and
 * bytecode is compared.
 */
@NullMarked
package io.github.penstock.lua.maven.minify;

import org.jspecify.annotations.NullMarked;
