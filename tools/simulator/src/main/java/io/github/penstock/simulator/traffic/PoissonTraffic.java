package io.github.penstock.simulator.traffic;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Subjects with separate rates, at random times (the intervals are exponential, so it is a Poisson
 * process), always the same for the same seed. Not safe for use by several threads.
 */
public final class PoissonTraffic implements RequestSource {
  private static final double SECOND_US = 1e6;
  private final SplittableRandom random;
  private final long endUs;
  private final Queue<Visit> visits =
      new PriorityQueue<>(Comparator.comparingLong(Visit::timeUs).thenComparing(Visit::subject));

  /** Without subjects; no request comes from {@code endUs} on. */
  public PoissonTraffic(long seed, long endUs) {
    this.random = new SplittableRandom(seed);
    this.endUs = endUs;
  }

  /** Adds a subject with this rate per second from a time on. */
  public PoissonTraffic with(String subject, double perSecond, long beginUs) {
    visits.add(new Visit(beginUs + interval(perSecond), subject, perSecond));
    return this;
  }

  @Override
  public @Nullable TrafficRequest next() {
    Visit visit = visits.poll();
    if (visit == null || visit.timeUs >= endUs) {
      return null;
    }
    visits.add(new Visit(visit.timeUs + interval(visit.perSecond), visit.subject, visit.perSecond));
    return new TrafficRequest(visit.timeUs, visit.subject, 1);
  }

  private long interval(double perSecond) {
    return Math.round(-StrictMath.log(1 - random.nextDouble()) / perSecond * SECOND_US);
  }

  private record Visit(long timeUs, String subject, double perSecond) {}
}
