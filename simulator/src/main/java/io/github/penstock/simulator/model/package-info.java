/**
 * What a script answers, by the arithmetic of {@code client-local}: for time that does not go back
 * and calls that cost something. The exact model of the testkit, in rational numbers, says whether
 * that is right.
 */
@NullMarked
package io.github.penstock.simulator.model;

import org.jspecify.annotations.NullMarked;
