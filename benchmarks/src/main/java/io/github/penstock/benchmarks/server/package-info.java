/**
 * Measures the server's side by its own counters: time per script, commands, memory, replication,
 * growth.
 */
@NullMarked
package io.github.penstock.benchmarks.server;

import org.jspecify.annotations.NullMarked;
