package io.github.penstock.simulator.traffic;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one subject, as so many in each second.
 *
 * <p>Request {@code i} of the {@code n} in a second arrives {@code i / n} of a second after it
 * began, rounded down to the microsecond: they are spread evenly, and the first comes at once. With
 * 4 in the first second and 1 in the next: 0, 250000, 500000, 750000 and 1000000 microseconds. Not
 * safe for use by several threads.
 */
final class PerSecondTraffic implements RequestSource {
  private static final long SECOND_US = 1_000_000;
  private final String subject;
  private final long beginUs;
  private final List<Integer> requests;
  private int second;
  private int next;

  /**
   * From {@code beginUs} on.
   *
   * @param requests at least one second, no negative number
   */
  public PerSecondTraffic(String subject, long beginUs, List<Integer> requests) {
    if (requests.isEmpty() || requests.stream().anyMatch(n -> n < 0)) {
      throw new IllegalArgumentException(
          "requests must hold numbers from 0 for at least one second: " + requests);
    }
    this.subject = subject;
    this.beginUs = beginUs;
    this.requests = List.copyOf(requests);
  }

  @Override
  public @Nullable TrafficRequest next() {
    while (second < requests.size() && next == requests.get(second)) {
      second++;
      next = 0;
    }
    if (second == requests.size()) {
      return null;
    }
    long offsetUs = second * SECOND_US + next * SECOND_US / requests.get(second);
    next++;
    return new TrafficRequest(beginUs + offsetUs, subject, 1);
  }
}
