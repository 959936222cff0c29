package io.github.penstock.core.limit;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A limit of one {@link LimitKind kind}, with 1 to 16 tiers. An allowed call is charged to every
 * tier, and a denied call to no tier.
 *
 * <p>{@link TokenBucket}, {@link LeakyBucket}, {@link IntervalBucket}, {@link FixedWindow} and
 * {@link SlidingWindow} create limits, and {@link Limits#parse} parses limits from text. A limit is
 * immutable and has value equality. It is validated when it is created, so the script accepts every
 * {@code Limit}.
 */
public final class Limit {
  /** The maximum number of tiers of a limit. */
  public static final int MAX_TIERS = 16;

  /** The maximum number of units of a limit, a cost or a refund: 10^12. */
  public static final long MAX_UNITS = 1_000_000_000_000L;

  private final LimitKind kind;
  private final List<LimitTier> tiers;

  private Limit(LimitKind kind, List<LimitTier> tiers) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.tiers = LimitBounds.tiers(kind, tiers);
  }

  /**
   * Returns a limit of this kind with these tiers.
   *
   * @throws IllegalArgumentException if the number of tiers is not 1 to {@value #MAX_TIERS}, or if
   *     a tier is not within the bounds of the kind
   */
  public static Limit of(LimitKind kind, List<LimitTier> tiers) {
    return new Limit(kind, tiers);
  }

  /** Returns the kind of this limit, which is the same for all tiers. */
  public LimitKind kind() {
    return kind;
  }

  /** Returns the name of the algorithm's script, such as {@code token-bucket}. */
  public String algorithm() {
    return kind.script().scriptName();
  }

  /** Returns the 1 to {@value #MAX_TIERS} tiers, in order. */
  public List<LimitTier> tiers() {
    return tiers;
  }

  /**
   * Returns a limit that combines this limit with another limit. A call is allowed only if both
   * limits allow it.
   *
   * @throws IllegalArgumentException if the other limit is of a different kind, or if the result
   *     would have more than {@value #MAX_TIERS} tiers
   */
  public Limit and(Limit other) {
    if (kind != other.kind) {
      throw new IllegalArgumentException(
          "limits must be of one kind to be combined: " + this + ", " + other);
    }
    return new Limit(kind, Stream.concat(tiers.stream(), other.tiers.stream()).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Limit limit && kind == limit.kind && tiers.equals(limit.tiers);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + tiers.hashCode();
  }

  /**
   * Returns the limit in the syntax of {@link Limits#parse}, such as {@code
   * token-bucket:100/1m,burst=20}.
   */
  @Override
  public String toString() {
    return tiers.stream()
        .map(LimitTier::toString)
        .collect(Collectors.joining("+", algorithm() + ":", ""));
  }
}
