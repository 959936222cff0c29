package io.github.penstock.benchmarks.jmh;

import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.LeakyBucket;
import io.github.penstock.core.Limit;
import io.github.penstock.core.TokenBucket;
import java.time.Duration;

/** Penstock's algorithms, each with limits that are never reached and limits that stay reached. */
public enum Algorithm {
  FIXED_WINDOW {
    @Override
    Limit one(long units) {
      return FixedWindow.of(units, DAY);
    }

    @Override
    Limit join(Limit limit, Limit other) {
      return ((FixedWindow) limit).and((FixedWindow) other);
    }
  },
  TOKEN_BUCKET {
    @Override
    Limit one(long units) {
      return TokenBucket.of(units).refill(1, units == 1 ? DAY : REFILL);
    }

    @Override
    Limit join(Limit limit, Limit other) {
      return ((TokenBucket) limit).and((TokenBucket) other);
    }
  },
  LEAKY_BUCKET {
    @Override
    Limit one(long units) {
      return LeakyBucket.of(units).leak(1, units == 1 ? DAY : REFILL);
    }

    @Override
    Limit join(Limit limit, Limit other) {
      return ((LeakyBucket) limit).and((LeakyBucket) other);
    }
  };

  /** The most units of a limit that no benchmark reaches. */
  public static final long PLENTY = 30_000_000;

  /**
   * How long that limit takes to gain one unit: longer than it takes until a subject's next call,
   * also where many take turns, so that there is a state to be read, as there is in use. With it,
   * {@link #PLENTY} refills within the 100 years that a bucket may take.
   */
  public static final Duration REFILL = Duration.ofSeconds(100);

  private static final Duration DAY = Duration.ofDays(1);

  /** A limit of so many tiers that is never reached. */
  public Limit generous(int tiers) {
    Limit limit = one(PLENTY);
    for (int tier = 1; tier < tiers; tier++) {
      limit = join(limit, one(PLENTY - tier));
    }
    return limit;
  }

  /** A limit of so many tiers of which the last one has a unit a day. */
  public Limit exhausted(int tiers) {
    Limit last = one(1);
    return tiers == 1 ? last : join(generous(tiers - 1), last);
  }

  abstract Limit one(long units);

  abstract Limit join(Limit limit, Limit other);
}
