package io.github.penstock.compat.suite;

import io.github.penstock.core.MayHaveBeenChargedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a client did in one case. All times are in microseconds.
 *
 * @param client name and version
 * @param server product and version
 * @param name what happened
 * @param threads how many made calls
 * @param deadlineUs how long a call might take
 * @param calls how many calls were made
 * @param errors how many of them failed
 * @param unknown how many of these may have been charged
 * @param mostCharges the most that one call was charged; null where charges were lost with a server
 * @param slowestUs how long the slowest call took
 * @param recoveryUs from when the cause was gone until the last call failed; 0 if none did
 * @param stallUs the longest that the machine kept a thread waiting that only slept
 * @param overAdmitted units admitted above the limit, because a server lost charges; null where
 *     that cannot be
 */
public record CaseResult(
    String client,
    String server,
    String name,
    int threads,
    long deadlineUs,
    long calls,
    long errors,
    long unknown,
    @Nullable Long mostCharges,
    long slowestUs,
    long recoveryUs,
    long stallUs,
    @Nullable Long overAdmitted) {

  /** This result as that of a case of another name. */
  public CaseResult named(String name) {
    return with(name, overAdmitted);
  }

  /** What the names of cases with asynchronous calls end with. */
  static final String ASYNCHRONOUS = ", asynchronous";

  /** True if the calls were asynchronous. */
  public boolean isAsynchronous() {
    return name.endsWith(ASYNCHRONOUS);
  }

  /** What happened, for blocking and asynchronous calls alike. */
  public String cause() {
    return isAsynchronous() ? name.substring(0, name.length() - ASYNCHRONOUS.length()) : name;
  }

  /** What a load came to. */
  static CaseResult of(Scene scene, List<Load.Call> calls, @Nullable Map<String, Long> charges) {
    List<Load.Call> failed = calls.stream().filter(Load.Call::failed).toList();
    return new CaseResult(
        scene.client,
        scene.server,
        scene.name,
        scene.threads,
        TimeUnit.NANOSECONDS.toMicros(scene.deadline.toNanos()),
        calls.size(),
        failed.size(),
        failed.stream().filter(call -> isUnknown(call.failure())).count(),
        charges == null ? null : most(charges.values()),
        micros(calls.stream().mapToLong(Load.Call::nanos).max().orElse(0)),
        recoveryUs(failed, scene.goneNanos),
        micros(scene.stallNanos),
        null);
  }

  CaseResult overAdmitted(long units) {
    return with(name, units);
  }

  private CaseResult with(String name, @Nullable Long overAdmitted) {
    return new CaseResult(
        client,
        server,
        name,
        threads,
        deadlineUs,
        calls,
        errors,
        unknown,
        mostCharges,
        slowestUs,
        recoveryUs,
        stallUs,
        overAdmitted);
  }

  /**
   * Where a load took place.
   *
   * @param goneNanos when what was wrong ended
   * @param stallNanos see {@link CaseResult#stallUs}
   */
  record Scene(
      String client,
      String server,
      String name,
      int threads,
      Duration deadline,
      long goneNanos,
      long stallNanos) {}

  static boolean isUnknown(@Nullable RuntimeException failure) {
    return failure instanceof MayHaveBeenChargedException;
  }

  private static long most(Collection<Long> charges) {
    return charges.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private static long recoveryUs(List<Load.Call> failed, long goneNanos) {
    long longest = 0;
    for (Load.Call call : failed) {
      longest = Math.max(longest, call.endNanos() - goneNanos);
    }
    return micros(longest);
  }

  private static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }
}
