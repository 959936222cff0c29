package io.github.penstock.simulator.log;

import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Puts requests into the order of their times, as far as they are at most {@value #HELD} requests
 * out of place: servers write a line when a request ends, and some put the time at which it began.
 * One that comes later than that is handed on at the time reached. Requests of the same time keep
 * their order. Not safe for use by several threads.
 */
final class ReorderBuffer implements Consumer<TrafficRequest> {
  static final int HELD = 10_000;
  private final Consumer<TrafficRequest> next;
  private final LogCount count;
  private final Queue<Held> held =
      new PriorityQueue<>(
          Comparator.comparingLong((Held each) -> each.request.timeUs())
              .thenComparingLong(Held::number));
  private long number;
  private long newestUs;
  private long reachedUs;

  public ReorderBuffer(LogCount count, Consumer<TrafficRequest> next) {
    this.count = count;
    this.next = next;
  }

  @Override
  public void accept(TrafficRequest request) {
    if (request.timeUs() < reachedUs) {
      count.add(Kind.TOO_LATE_TO_ORDER);
      held.add(new Held(request.at(reachedUs), number++));
    } else {
      if (request.timeUs() < newestUs) {
        count.add(Kind.PUT_IN_ORDER);
      }
      held.add(new Held(request, number++));
    }
    newestUs = Math.max(newestUs, request.timeUs());
    if (held.size() > HELD) {
      handOn();
    }
  }

  /** Hands on all that is held, after the last request. */
  public void end() {
    while (!held.isEmpty()) {
      handOn();
    }
  }

  private void handOn() {
    TrafficRequest first = held.remove().request;
    reachedUs = first.timeUs();
    next.accept(first);
  }

  private record Held(TrafficRequest request, long number) {}
}
