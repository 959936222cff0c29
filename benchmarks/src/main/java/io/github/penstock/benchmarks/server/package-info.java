/**
 * Measures the server's side by its own counters: time per script, commands, memory, replication,
 * growth. The server that a command uses is reached and checked here, too.
 */
@NullMarked
package io.github.penstock.benchmarks.server;

import org.jspecify.annotations.NullMarked;
