package io.github.penstock.benchmarks.compare;

import io.github.penstock.compat.model.Stored;

/**
 * What must be remembered of one subject under one limit as long as it matters: the exact model's
 * state, and what passed in the last spans. Not safe for use by several threads.
 */
final class Live {
  private final Sliding[] spans;
  private Stored stored = Stored.NOTHING;
  private long overUs;
  private long expiresNanos;

  Live(int tiers) {
    spans = new Sliding[tiers];
    for (int tier = 0; tier < tiers; tier++) {
      spans[tier] = new Sliding();
    }
  }

  Stored stored() {
    return stored;
  }

  /**
   * What the model stored.
   *
   * @param expiresAt when the server drops its key, by {@link System#nanoTime}
   */
  void store(Stored after, long expiresAt) {
    stored = after;
    expiresNanos = expiresAt;
  }

  void expiresAt(long nanos) {
    expiresNanos = nanos;
  }

  /** When the server drops its key, by {@link System#nanoTime}. */
  long expiresNanos() {
    return expiresNanos;
  }

  Sliding span(int tier) {
    return spans[tier];
  }

  /** Remembers it at least until then, in the traffic's time. */
  void mattersUntil(long timeUs) {
    overUs = Math.max(overUs, timeUs);
  }

  boolean isOver(long nowUs) {
    return overUs <= nowUs;
  }

  /** Whether the server has a key for it. */
  boolean hasKey() {
    return stored.kind() != Stored.Kind.NOTHING;
  }
}
