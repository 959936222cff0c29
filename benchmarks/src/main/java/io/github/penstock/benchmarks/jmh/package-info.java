/**
 * The JMH benchmarks: one question per class, with the command that runs it. Every benchmark writes
 * under a random prefix of its own and removes it.
 */
@NullMarked
package io.github.penstock.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
