/**
 * The published vectors: their shape, their files, and the runner that replays them. The generator
 * that writes the files is among the tests.
 */
@NullMarked
package io.github.penstock.compat.vectors;

import org.jspecify.annotations.NullMarked;
