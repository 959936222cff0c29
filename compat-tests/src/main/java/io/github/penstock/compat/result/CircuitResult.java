package io.github.penstock.compat.result;

/**
 * Measured calls while a server is away and its circuit is open.
 *
 * @param client name and version
 * @param server product and version
 * @param threads how many make calls
 * @param deadlineUs how long a call may take
 * @param openUs how long a circuit stays open
 * @param watchedUs how long calls were watched, from when each thread had noticed that it is open
 * @param calls how many were made in that time, each decided without the server
 * @param medianNanos how long half of them took at most
 * @param slowestUs how long the slowest took
 * @param asked how many of them asked, and were not answered
 * @param backUs from when the server was there again until the last call was decided without it
 * @param stallUs how late, at most, the machine woke threads that do nothing but sleep and wake
 *     each other
 */
public record CircuitResult(
    String client,
    String server,
    int threads,
    long deadlineUs,
    long openUs,
    long watchedUs,
    long calls,
    long medianNanos,
    long slowestUs,
    long asked,
    long backUs,
    long stallUs) {}
