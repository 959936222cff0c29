package io.github.penstock.core.limit;

import java.util.List;

/**
 * An algorithm and the numbers of its 1 to 16 tiers. A call is charged to all tiers or to none.
 *
 * <p>Immutable, equal by value, and checked when it is made: a limit that exists is one that its
 * script accepts.
 */
public sealed interface Limit
    permits FixedWindow, SlidingWindow, TokenBucket, LeakyBucket, IntervalBucket {
  /** The most tiers that a limit can have. */
  int MAX_TIERS = 16;

  /** The most units that a limit, a cost or a refund can have: 10^12. */
  long MAX_UNITS = 1_000_000_000_000L;

  /** The algorithm by the name of its script, such as {@code token-bucket}. */
  String algorithm();

  /** The tiers in their order, 1 to {@value #MAX_TIERS}. */
  List<LimitTier> tiers();

  /** The limit as {@link Limits#parse} reads it, such as {@code token-bucket:100/1m,burst=20}. */
  @Override
  String toString();
}
