package io.github.penstock.compat.load;

import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.FaultCase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A case in which a load is made.
 *
 * @param client name and version
 * @param server product and version
 * @param fault the failure
 * @param asynchronous true if the calls answer with stages
 * @param threads how many make calls
 * @param deadline how long a call may take
 */
public record FaultCaseContext(
    String client,
    String server,
    FaultCase fault,
    boolean asynchronous,
    int threads,
    Duration deadline) {

  /**
   * The result of a load here.
   *
   * @param charges of each call; null where charges were lost with a server
   * @param overAdmitted units admitted above the limit; null where that cannot be
   * @param goneNanos the time at which the failure ended
   * @param stalls of the machine
   */
  public CaseResult result(
      List<LoadCall> calls,
      @Nullable Map<String, Long> charges,
      @Nullable Long overAdmitted,
      long goneNanos,
      StallWatch stalls) {
    List<LoadCall> failed = calls.stream().filter(LoadCall::failed).toList();
    long slowest = calls.stream().mapToLong(LoadCall::nanos).max().orElse(0);
    long recovery =
        failed.stream()
            .filter(call -> !isOfTheMachine(call, stalls))
            .mapToLong(call -> call.endNanos() - goneNanos)
            .max()
            .orElse(0);
    return new CaseResult(
        client,
        server,
        fault,
        asynchronous,
        threads,
        TimeUnit.NANOSECONDS.toMicros(deadline.toNanos()),
        calls.size(),
        failed.size(),
        failed.stream().filter(LoadCall::mayHaveBeenCharged).count(),
        charges == null ? null : charges.values().stream().max(Long::compare).orElse(0L),
        TimeUnit.NANOSECONDS.toMicros(slowest),
        TimeUnit.NANOSECONDS.toMicros(Math.max(0, recovery)),
        TimeUnit.NANOSECONDS.toMicros(stalls.longestNanos()),
        overAdmitted,
        null);
  }

  /**
   * Returns whether the machine stalled long enough for the deadline to pass for that reason alone.
   */
  public boolean isOfTheMachine(LoadCall call, StallWatch stalls) {
    long stalled = stalls.nanosWithin(call.startNanos(), call.endNanos());
    return call.nanos() >= deadline.toNanos()
        && CaseBounds.STALLS_PER_CALL * stalled >= deadline.toNanos();
  }
}
