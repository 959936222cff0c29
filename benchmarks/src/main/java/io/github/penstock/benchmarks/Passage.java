package io.github.penstock.benchmarks;

import java.util.Arrays;

/**
 * What a limiter let through: when each admitted request went ahead, in microseconds from the
 * traffic's beginning.
 *
 * <p>A request goes ahead at its arrival plus the wait that it was told; only a leaky bucket tells
 * one. Immutable.
 */
public final class Passage {
  private final long[] aheadUs;
  private final int denied;
  private final long longestDelayUs;

  /**
   * @param aheadUs when each admitted request went ahead, in any order; none is negative
   * @param denied how many requests were denied
   * @param longestDelayUs the longest that an admitted request was told to wait
   */
  public Passage(long[] aheadUs, int denied, long longestDelayUs) {
    this.aheadUs = aheadUs.clone();
    this.denied = denied;
    this.longestDelayUs = longestDelayUs;
    Arrays.sort(this.aheadUs);
    if (this.aheadUs.length > 0 && this.aheadUs[0] < 0) {
      throw new IllegalArgumentException("aheadUs must not be negative: " + this.aheadUs[0]);
    }
  }

  /** How many requests were admitted. */
  public int admitted() {
    return aheadUs.length;
  }

  /** How many requests were denied. */
  public int denied() {
    return denied;
  }

  /** The longest that an admitted request was told to wait, in microseconds. */
  public long longestDelayUs() {
    return longestDelayUs;
  }

  /**
   * How many seconds it takes until the last admitted request has gone ahead, begun ones counted.
   */
  public int seconds() {
    return aheadUs.length == 0 ? 0 : (int) (aheadUs[aheadUs.length - 1] / Traffic.SECOND_US) + 1;
  }

  /**
   * How many requests went ahead in the second that begins {@code second} seconds after the
   * traffic, from 0.
   */
  public int in(int second) {
    return (int) Arrays.stream(aheadUs).filter(t -> t / Traffic.SECOND_US == second).count();
  }

  /**
   * The most requests that went ahead in any time span of this length.
   *
   * <p>Exact: the span {@code [t, t + lengthUs)} is tried from each request onwards, and the
   * fullest of all spans begins with a request. Two requests that are exactly {@code lengthUs}
   * apart are not in one span.
   *
   * @param lengthUs at least 1
   */
  public int mostInAny(long lengthUs) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < aheadUs.length; last++) {
      while (aheadUs[last] - aheadUs[first] >= lengthUs) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
