package io.github.penstock.simulator.traffic;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Clients that share one limit, each with one request; all call at once, and a denied one returns
 * after exactly the wait of its denial, until it is admitted. Clients that come at the same time
 * come in the order of their numbers. Not safe for use by several threads.
 */
final class RetryStorm implements RequestSource {
  private final String subject;
  private final Queue<Visit> visits =
      new PriorityQueue<>(Comparator.comparingLong(Visit::timeUs).thenComparingInt(Visit::client));
  private int asking;

  public RetryStorm(String subject, long beginUs, int clients) {
    this.subject = subject;
    for (int client = 0; client < clients; client++) {
      visits.add(new Visit(beginUs, client));
    }
  }

  @Override
  public @Nullable TrafficRequest next() {
    Visit visit = visits.poll();
    if (visit == null) {
      return null;
    }
    asking = visit.client;
    return new TrafficRequest(visit.timeUs, subject, 1);
  }

  @Override
  public void decided(TrafficRequest request, boolean allowed, long waitUs) {
    if (!allowed && waitUs > 0) {
      visits.add(new Visit(request.timeUs() + waitUs, asking));
    }
  }

  private record Visit(long timeUs, int client) {}
}
