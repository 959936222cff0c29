package io.github.penstock.testkit.model;

/** One limit of a call: what its stored field means at a time. */
sealed interface ModelTier permits WindowTier, SlidingTier, BucketTier, IntervalTier {
  /** The longest time, in µs, until nothing is used any more, if nobody calls. */
  long fullUs();

  /** Nothing used at a time. */
  TierLevel unused(long nowUs);

  /**
   * The units used at a time, according to a field of the stored value, cut to what the tier can
   * hold.
   *
   * @throws BadArgumentException ({@code state}) if the field is not one that a script of protocol
   *     1 writes
   */
  TierLevel read(String field, long nowUs) throws BadArgumentException;
}
