package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.stats.SlidingMaximum;

/**
 * The state of one subject under one limit while it is relevant: the model's state, and the units
 * that passed in the last spans. Not safe for use by several threads.
 */
final class SubjectState {
  /** The units that passed in the last span of each tier. */
  final SlidingMaximum[] spans;

  final long[] stored;

  /** How many more of its decisions a server makes, too. */
  long toCheck;

  /** When the server drops its key, by {@link System#nanoTime}. */
  long expiresNanos;

  /** When its last request was denied; 0 if that was admitted. */
  long deniedUs;

  private final boolean checked;
  private long overUs;
  private final long[][] withoutTier;

  SubjectState(int tiers, int numbers, long toCheck) {
    spans = new SlidingMaximum[tiers];
    for (int tier = 0; tier < tiers; tier++) {
      spans[tier] = new SlidingMaximum();
    }
    stored = new long[numbers];
    withoutTier = new long[tiers][];
    this.toCheck = toCheck;
    checked = toCheck > 0;
  }

  /** The model's state without one of the tiers. */
  long[] withoutTier(int tier, int numbers) {
    if (withoutTier[tier] == null) {
      withoutTier[tier] = new long[numbers];
    }
    return withoutTier[tier];
  }

  /** Remembers it at least until then, in the traffic's time. */
  void mattersUntil(long timeUs) {
    overUs = Math.max(overUs, timeUs);
  }

  boolean isOver(long nowUs) {
    return overUs <= nowUs;
  }

  /** Returns whether the server has a key for it. */
  boolean hasKey() {
    return checked && stored[0] != 0;
  }
}
