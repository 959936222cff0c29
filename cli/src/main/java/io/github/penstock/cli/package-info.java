/**
 * The commands of {@code ./penstock} and their options. Each command checks its options, opens a
 * server, and hands over to the simulator or the benchmarks.
 */
@NullMarked
package io.github.penstock.cli;

import org.jspecify.annotations.NullMarked;
