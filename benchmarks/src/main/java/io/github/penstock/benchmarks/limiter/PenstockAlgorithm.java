package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;

/** Penstock's algorithms, each with limits that are never reached and limits that stay reached. */
public enum PenstockAlgorithm implements BenchmarkCandidate {
  FIXED_WINDOW,
  TOKEN_BUCKET,
  LEAKY_BUCKET;

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
    Limit limit = one(PLENTY, 1, REFILL);
    for (int tier = 1; tier < tiers; tier++) {
      limit = joined(limit, one(PLENTY - tier, 1, REFILL));
    }
    return limit;
  }

  /** A limit of so many tiers of which the last one has a unit a day. */
  public Limit exhausted(int tiers) {
    Limit last = one(1, 1, DAY);
    return tiers == 1 ? last : joined(generous(tiers - 1), last);
  }

  /** A limit of one tier, never reached, whose unit takes no whole number of microseconds. */
  public Limit uneven() {
    return one(1_000_000, 7, Duration.ofSeconds(3));
  }

  /** The script of the algorithm. */
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

  private Limit one(long units, long gained, Duration period) {
    return switch (this) {
      case FIXED_WINDOW -> FixedWindow.of(units, DAY);
      case TOKEN_BUCKET -> TokenBucket.of(units).refill(gained, period);
      case LEAKY_BUCKET -> LeakyBucket.of(units).leak(gained, period);
    };
  }

  private static Limit joined(Limit limit, Limit other) {
    if (limit instanceof FixedWindow window) {
      return window.and((FixedWindow) other);
    }
    return limit instanceof TokenBucket bucket
        ? bucket.and((TokenBucket) other)
        : ((LeakyBucket) limit).and((LeakyBucket) other);
  }
}
