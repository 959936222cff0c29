/**
 * The limiters, clients and floors that are measured, each set up as its documentation says. All
 * look the same to a benchmark.
 */
@NullMarked
package io.github.penstock.benchmarks.limiter;

import org.jspecify.annotations.NullMarked;
