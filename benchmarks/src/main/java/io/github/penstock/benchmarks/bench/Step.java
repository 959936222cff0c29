package io.github.penstock.benchmarks.bench;

import java.util.function.Supplier;

/**
 * One thing that is measured and then reported to whoever waits.
 *
 * @param label what it is, in few words
 * @param seconds how long it should take
 * @param work measures, keeps what it measured, and returns the figure in few characters
 */
record Step(String label, double seconds, Supplier<String> work) {}
