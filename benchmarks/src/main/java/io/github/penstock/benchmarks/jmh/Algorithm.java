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
    Limit one(long units, long perSecond) {
      return FixedWindow.of(units, units == 1 ? DAY : Duration.ofHours(1).plusSeconds(perSecond));
    }

    @Override
    Limit join(Limit limit, Limit other) {
      return ((FixedWindow) limit).and((FixedWindow) other);
    }
  },
  TOKEN_BUCKET {
    @Override
    Limit one(long units, long perSecond) {
      return units == 1
          ? TokenBucket.of(1).refill(1, DAY)
          : TokenBucket.of(units).refill(perSecond, SECOND);
    }

    @Override
    Limit join(Limit limit, Limit other) {
      return ((TokenBucket) limit).and((TokenBucket) other);
    }
  },
  LEAKY_BUCKET {
    @Override
    Limit one(long units, long perSecond) {
      return units == 1
          ? LeakyBucket.of(1).leak(1, DAY)
          : LeakyBucket.of(units).leak(perSecond, SECOND);
    }

    @Override
    Limit join(Limit limit, Limit other) {
      return ((LeakyBucket) limit).and((LeakyBucket) other);
    }
  };

  /** The most units of a limit that no benchmark reaches. */
  public static final long PLENTY = 1_000_000_000;

  /** What that limit gains in a second, so that its state is one that must be kept. */
  public static final long REFILL_PER_SECOND = 1_000;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** A limit of so many tiers that is never reached. */
  public Limit generous(int tiers) {
    Limit limit = one(PLENTY, REFILL_PER_SECOND);
    for (int tier = 1; tier < tiers; tier++) {
      limit = join(limit, one(PLENTY, REFILL_PER_SECOND + tier));
    }
    return limit;
  }

  /** A limit of so many tiers of which the last one has a unit a day. */
  public Limit exhausted(int tiers) {
    Limit last = one(1, 1);
    return tiers == 1 ? last : join(generous(tiers - 1), last);
  }

  abstract Limit one(long units, long perSecond);

  abstract Limit join(Limit limit, Limit other);
}
