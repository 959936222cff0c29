/**
 * The commands behind {@code ./penstock}: what each algorithm does to traffic, and what it costs.
 */
@NullMarked
package io.github.penstock.benchmarks;

import org.jspecify.annotations.NullMarked;
