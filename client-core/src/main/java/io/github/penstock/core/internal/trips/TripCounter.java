package io.github.penstock.core.internal.trips;

import java.util.concurrent.atomic.LongAdder;

/** Counts trips of two or more calls, and these calls. Safe for use by several threads. */
public final class TripCounter {
  private final LongAdder trips = new LongAdder();
  private final LongAdder calls = new LongAdder();

  void sent(int number) {
    if (number > 1) {
      trips.increment();
      calls.add(number);
    }
  }

  public long trips() {
    return trips.sum();
  }

  public long calls() {
    return calls.sum();
  }
}
