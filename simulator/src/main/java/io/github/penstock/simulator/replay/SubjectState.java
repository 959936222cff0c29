package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.stats.SlidingMaximum;
import io.github.penstock.testkit.model.StoredValue;
import java.util.stream.Stream;

/**
 * The state of one subject under one limit as long as it matters: the exact model's state, and what
 * passed in the last spans. Not safe for use by several threads.
 */
final class SubjectState {
  /** The units that passed in the last span of each tier. */
  final SlidingMaximum[] spans;

  /** The value that the model stored. */
  StoredValue stored = StoredValue.NOTHING;

  /** When the server drops its key, by {@link System#nanoTime}. */
  long expiresNanos;

  private long overUs;

  SubjectState(int tiers) {
    spans = Stream.generate(SlidingMaximum::new).limit(tiers).toArray(SlidingMaximum[]::new);
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
    return stored.kind() != StoredValue.Kind.NOTHING;
  }
}
