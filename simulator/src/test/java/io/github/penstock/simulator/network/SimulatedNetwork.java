package io.github.penstock.simulator.network;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Events in the order of the server's time, which is the true one. */
final class SimulatedNetwork {
  private record Event(long nanos, long number, Runnable work) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
  private long nowNanos;
  private long scheduled;

  /** The true time since the beginning. */
  long nowNanos() {
    return nowNanos;
  }

  /** Does something later. */
  void after(long nanos, Runnable work) {
    events.add(new Event(nowNanos + nanos, scheduled++, work));
  }

  /** Lets everything happen. */
  void run() {
    for (Event next = events.poll(); next != null; next = events.poll()) {
      nowNanos = next.nanos;
      next.work.run();
    }
  }
}
