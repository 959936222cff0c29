package io.github.penstock.benchmarks.result;

import io.github.penstock.benchmarks.plan.ServerCase;
import org.jspecify.annotations.Nullable;

/**
 * The use that one decision makes of the server, through a client with 8 threads.
 *
 * @param what the limiter, its client and its callers
 * @param commandMicros microseconds that the server counts for the commands, in the round that took
 *     the least
 * @param processMicros microseconds of processor time of the server's process, reading and writing
 *     the network included
 * @param commands commands executed, those within scripts included
 * @param bytesIn bytes that the server received
 * @param bytesOut bytes that it sent
 * @param bytesPerKey bytes of memory of a subject that was charged once, all its keys together, -1
 *     if not measured
 * @param bytesPerKeyLater the same after 100 charges
 * @param problem the reason for a missing figure, otherwise null
 */
public record ServerUse(
    ServerCase what,
    double commandMicros,
    double processMicros,
    double commands,
    double bytesIn,
    double bytesOut,
    double bytesPerKey,
    double bytesPerKeyLater,
    @Nullable String problem) {

  /** Nothing but the reason. */
  public static ServerUse failed(ServerCase what, String problem) {
    return new ServerUse(what, 0, 0, 0, 0, 0, -1, -1, problem);
  }
}
