package io.github.penstock.compat.result;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour of a client in one case. All times are in microseconds.
 *
 * @param client name and version
 * @param server product and version
 * @param fault the failure
 * @param asynchronous true if the calls answered with stages
 * @param threads how many made calls
 * @param deadlineUs how long a call might take
 * @param calls how many calls were made
 * @param errors how many of them failed
 * @param unknown how many of these may have been charged
 * @param mostCharges the most that one call was charged; null where charges were lost with a server
 * @param slowestUs how long the slowest call took
 * @param recoveryUs from when the cause was gone until the last call failed; 0 if none did
 * @param stallUs how late, at most, the machine woke threads that do nothing but sleep and wake
 *     each other
 * @param overAdmitted units admitted above the limit, because a server lost charges; null where
 *     that cannot be
 * @param logLines how many lines the limiters logged; null where they were not counted
 */
public record CaseResult(
    String client,
    String server,
    FaultCase fault,
    boolean asynchronous,
    int threads,
    long deadlineUs,
    long calls,
    long errors,
    long unknown,
    @Nullable Long mostCharges,
    long slowestUs,
    long recoveryUs,
    long stallUs,
    @Nullable Long overAdmitted,
    @Nullable Long logLines) {
  /** This result with the logged lines. */
  public CaseResult withLogLines(long lines) {
    return new CaseResult(
        client,
        server,
        fault,
        asynchronous,
        threads,
        deadlineUs,
        calls,
        errors,
        unknown,
        mostCharges,
        slowestUs,
        recoveryUs,
        stallUs,
        overAdmitted,
        lines);
  }
}
