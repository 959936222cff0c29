package io.github.penstock.simulator.traffic;

import org.jspecify.annotations.Nullable;

/** Requests in the order of their times. Not safe for use by several threads. */
@FunctionalInterface
public interface RequestSource {
  /** The next request, not earlier than the one before; null after the last. */
  @Nullable TrafficRequest next();

  /**
   * Hears how the request that {@link #next} gave was decided, before it is asked for the next.
   *
   * @param waitUs how long a denied caller was told to wait; -1 for ever
   */
  default void decided(TrafficRequest request, boolean allowed, long waitUs) {}
}
