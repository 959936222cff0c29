package io.github.penstock.benchmarks;

import java.util.List;

/**
 * Requests of one subject, as so many in each second.
 *
 * <p>Request {@code i} of the {@code n} in a second arrives {@code i / n} of a second after it
 * began, rounded down to the microsecond: they are spread evenly, and the first comes at once. With
 * 4 in the first second and 1 in the next: 0, 250000, 500000, 750000 and 1000000 microseconds.
 *
 * @param name what a reader calls it
 * @param requestsPerSecond at least one second, no negative number
 */
public record Traffic(String name, List<Integer> requestsPerSecond) {
  static final long SECOND_US = 1_000_000;

  public Traffic {
    requestsPerSecond = List.copyOf(requestsPerSecond);
    if (requestsPerSecond.isEmpty() || requestsPerSecond.stream().anyMatch(n -> n < 0)) {
      throw new IllegalArgumentException(
          "requestsPerSecond must hold numbers from 0 for at least one second: "
              + requestsPerSecond);
    }
  }

  /** The arrivals in microseconds from the beginning, in order. */
  public long[] arrivalsUs() {
    long[] arrivals = new long[total()];
    int next = 0;
    for (int second = 0; second < requestsPerSecond.size(); second++) {
      int requests = requestsPerSecond.get(second);
      for (int i = 0; i < requests; i++) {
        arrivals[next++] = second * SECOND_US + i * SECOND_US / requests;
      }
    }
    return arrivals;
  }

  /** How many requests there are. */
  public int total() {
    return requestsPerSecond.stream().mapToInt(Integer::intValue).sum();
  }
}
