package io.github.penstock.core.limit;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of limit, and the numbers of its 1 to 16 tiers. A call is charged to all tiers or to none.
 *
 * <p>{@link TokenBucket}, {@link LeakyBucket}, {@link IntervalBucket}, {@link FixedWindow} and
 * {@link SlidingWindow} create limits; {@link Limits#parse} parses them from text. Immutable, equal
 * by value, and checked on creation, so that the script accepts every limit.
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
   * Returns the limit with these tiers.
   *
   * @throws IllegalArgumentException unless there are 1 to {@value #MAX_TIERS} tiers, each within
   *     the bounds of its kind
   */
  public static Limit of(LimitKind kind, List<LimitTier> tiers) {
    return new Limit(kind, tiers);
  }

  /** Returns the kind, which all tiers share. */
  public LimitKind kind() {
    return kind;
  }

  /** Returns the name of the algorithm's script, such as {@code token-bucket}. */
  public String algorithm() {
    return kind.script().scriptName();
  }

  /** Returns the tiers in order, 1 to {@value #MAX_TIERS}. */
  public List<LimitTier> tiers() {
    return tiers;
  }

  /**
   * Combines this limit with another one: a call must fit both.
   *
   * @throws IllegalArgumentException if the other is of another kind, or if the result has more
   *     than {@value #MAX_TIERS} tiers
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
