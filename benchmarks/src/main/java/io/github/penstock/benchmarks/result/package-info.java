/**
 * The figures of a run, and their ratios to floors and peers. Ratios are worked out within a round,
 * in which each had an iteration.
 */
@NullMarked
package io.github.penstock.benchmarks.result;

import org.jspecify.annotations.NullMarked;
