/**
 * The near layer of three processes on a simulated network, beside the exact model. Time is virtual
 * and all chance comes from a seed, so every run can be repeated.
 */
@NullMarked
package io.github.penstock.simulator.network;

import org.jspecify.annotations.NullMarked;
