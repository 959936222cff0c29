/**
 * The clock of limiters, by which all of core measures and waits, and one that a test moves.
 * Applications need neither.
 */
@NullMarked
package io.github.penstock.core.spi.time;

import org.jspecify.annotations.NullMarked;
