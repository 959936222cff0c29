/**
 * Which cases a run measures, how long, and in which groups they are interleaved. JMH's own
 * options, where given, win over the profile's.
 */
@NullMarked
package io.github.penstock.benchmarks.plan;

import org.jspecify.annotations.NullMarked;
