package io.github.penstock.benchmarks.bench;

import java.util.function.Function;

/**
 * One thing that is measured and then reported to whoever waits.
 *
 * @param label what it is, in few words
 * @param seconds how long it should take
 * @param work measures, tells how far it is, keeps what it measured, and returns the figure in few
 *     characters
 */
record Step(String label, double seconds, Function<Progress, String> work) {}
