/**
 * Plays traffic through the shipped scripts with the time given. Every decision is compared to the
 * exact model's.
 */
@NullMarked
package io.github.penstock.simulator.replay;

import org.jspecify.annotations.NullMarked;
