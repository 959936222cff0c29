/**
 * The comments at the top of scripts and includes, which are data. They are read as rows, and other
 * packages hold the code against them.
 */
@NullMarked
package io.github.penstock.lua.maven.header;

import org.jspecify.annotations.NullMarked;
