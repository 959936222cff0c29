/**
 * {@code ./penstock compare}: plays traffic through the shipped scripts with the time given, holds
 * every decision against the exact model, and shows what each limit did.
 *
 * <p>A {@link io.github.penstock.benchmarks.compare.Source} gives requests, a {@link
 * io.github.penstock.benchmarks.compare.Replay} plays them in a {@link
 * io.github.penstock.benchmarks.compare.Lane} per limit, a {@link
 * io.github.penstock.benchmarks.compare.Tally} keeps what came out.
 */
@NullMarked
package io.github.penstock.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
