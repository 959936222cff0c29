package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Penstock's algorithms, each with limits that are never reached and limits that stay reached. */
public enum PenstockAlgorithm implements BenchmarkCandidate {
  FIXED_WINDOW,
  TOKEN_BUCKET,
  LEAKY_BUCKET,
  SLIDING_WINDOW,
  INTERVAL_BUCKET;

  /** The most units of a limit that no benchmark reaches. */
  static final long PLENTY = 30_000_000;

  /**
   * How long that limit takes to gain one unit: longer than it takes until a subject's next call,
   * also where many take turns, so that there is a state to be read, as there is in use. With it,
   * {@link #PLENTY} refills within the 100 years that a bucket may take.
   */
  public static final Duration REFILL = Duration.ofSeconds(100);

  private static final Duration DAY = Duration.ofDays(1);

  /** A limit of so many tiers that is never reached. */
  public Limit generous(int tiers) {
    return of(plenty(tiers));
  }

  /** A limit of so many tiers of which the last one has a unit a day. */
  public Limit exhausted(int tiers) {
    return of(Stream.concat(plenty(tiers - 1), Stream.of(new LimitTier(1, 1, DAY))));
  }

  /** True if a unit may take no whole number of microseconds, which the state then remembers. */
  public boolean hasRemainder() {
    return this == TOKEN_BUCKET || this == LEAKY_BUCKET;
  }

  /** A limit of one tier, never reached, whose unit takes no whole number of microseconds. */
  public Limit uneven() {
    return of(Stream.of(new LimitTier(1_000_000, 7, Duration.ofSeconds(3))));
  }

  private static Stream<LimitTier> plenty(int tiers) {
    return IntStream.range(0, tiers).mapToObj(tier -> new LimitTier(PLENTY - tier, 1, REFILL));
  }

  private Limit of(Stream<LimitTier> buckets) {
    List<LimitTier> tiers = buckets.toList();
    return switch (this) {
      case FIXED_WINDOW -> new FixedWindow(windows(tiers));
      case SLIDING_WINDOW -> new SlidingWindow(windows(tiers));
      case TOKEN_BUCKET -> new TokenBucket(tiers);
      case LEAKY_BUCKET -> new LeakyBucket(tiers);
      case INTERVAL_BUCKET -> new IntervalBucket(tiers);
    };
  }

  private static List<LimitTier> windows(List<LimitTier> tiers) {
    return tiers.stream()
        .map(tier -> new LimitTier(tier.capacity(), tier.capacity(), DAY))
        .toList();
  }

  public LuaScript script() {
    return LuaScript.valueOf(name());
  }

  @Override
  public String title() {
    return script().scriptName();
  }

  @Override
  public LimiterUnderTest on(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    return LimiterFactory.penstock(session.limiters(), this, workload, 1);
  }
}
