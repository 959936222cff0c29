package io.github.penstock.benchmarks.bench;

import org.jspecify.annotations.Nullable;

/**
 * What one decision uses of the server, through a client with 8 threads.
 *
 * @param what the limiter's name for people
 * @param client through which client
 * @param workload who asks
 * @param commandMicros microseconds that the server counts for the commands
 * @param processMicros microseconds of processor time of the server's process, reading and writing
 *     the network included
 * @param commands commands executed, those within scripts included
 * @param bytesIn bytes that the server received
 * @param bytesOut bytes that it sent
 * @param bytesReplicated bytes that a replica was sent, -1 if there was none
 * @param bytesPerKey bytes of memory of a subject that was charged once, all its keys together, -1
 *     if not measured
 * @param bytesPerKeyLater the same after 100 charges
 * @param problem why there is no figure, null if there is
 */
record ServerUse(
    String what,
    String client,
    String workload,
    double commandMicros,
    double processMicros,
    double commands,
    double bytesIn,
    double bytesOut,
    double bytesReplicated,
    double bytesPerKey,
    double bytesPerKeyLater,
    @Nullable String problem) {}
