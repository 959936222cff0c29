package io.github.penstock.local.internal;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Limits and costs at random: mostly small, some as great as they may be. */
public final class RandomLimits {
  private static final long LONGEST_US = Duration.ofDays(366).toNanos() / 1_000;
  private final Random random;

  public RandomLimits(Random random) {
    this.random = random;
  }

  /** A limit of 1 to 16 tiers. */
  public Limit limit(LimitKind kind) {
    int count = random.nextInt(8) == 0 ? 1 + random.nextInt(16) : 1 + random.nextInt(3);
    return Limit.of(kind, Stream.generate(() -> tier(kind)).limit(count).toList());
  }

  private LimitTier tier(LimitKind kind) {
    while (true) {
      long units = number(Limit.MAX_UNITS);
      long capacity = kind.holdsBurst() ? number(Limit.MAX_UNITS) : units;
      Duration period = Duration.of(number(LONGEST_US), ChronoUnit.MICROS);
      LimitTier tier = LimitTier.of(capacity, units, period);
      if (isKnown(kind, tier)) {
        return tier;
      }
    }
  }

  private static boolean isKnown(LimitKind kind, LimitTier tier) {
    try {
      return !Limit.of(kind, List.of(tier)).tiers().isEmpty();
    } catch (IllegalArgumentException outOfBounds) {
      return false;
    }
  }

  private long number(long most) {
    return switch (random.nextInt(6)) {
      case 0 -> 1 + random.nextLong(most);
      case 1 -> 1 + random.nextLong(1_000_000);
      case 2 -> 1 + random.nextLong(1_000);
      default -> 1 + random.nextLong(20);
    };
  }
}
