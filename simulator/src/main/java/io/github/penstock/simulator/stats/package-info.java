/**
 * Figures about a replay, in memory that does not grow with the traffic. Counts over time, waits,
 * fairness between subjects, the most in any span.
 */
@NullMarked
package io.github.penstock.simulator.stats;

import org.jspecify.annotations.NullMarked;
