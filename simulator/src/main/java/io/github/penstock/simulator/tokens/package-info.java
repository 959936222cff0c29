/**
 * Calls whose cost is known when they end: the same traffic, charged in four ways. Every decision
 * is the exact model's, and the shipped scripts must make the same.
 */
@NullMarked
package io.github.penstock.simulator.tokens;

import org.jspecify.annotations.NullMarked;
