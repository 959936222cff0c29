package io.github.penstock.simulator.advice;

import io.github.penstock.simulator.stats.SlidingMaximum;
import io.github.penstock.simulator.traffic.TrafficRequest;

/** The demand of one subject. Not safe for use by several threads. */
final class SubjectDemand {
  private static final int MOST_TIMES = 1 << 16;
  private static final int GRAINS = 4_096;
  private static final long SECOND_US = 1_000_000;
  private static final long SHORTEST_US = SECOND_US / 4;
  private static final long LONGEST_US = SECOND_US + SECOND_US / 2;
  private static final int FEW = 10;
  final String subject;
  long requests;
  long units;
  long busiest;
  long busiestSecond;
  long soon;
  int part = -1;
  private final SlidingMaximum span = new SlidingMaximum();
  private final SlidingMaximum second = new SlidingMaximum();
  private long grainUs;
  private long window = -1;
  private long inWindow;
  private long lastUs;
  private long gapUs;
  private long even;
  private double level;

  SubjectDemand(String subject) {
    this.subject = subject;
  }

  /** Counts a request. Returns the units of the window of the clock that it ends; 0 if none. */
  long add(TrafficRequest request, long periodUs) {
    busiest = Math.max(busiest, span.add(request.timeUs(), request.cost(), periodUs, grainUs));
    busiestSecond =
        Math.max(busiestSecond, second.add(request.timeUs(), request.cost(), SECOND_US, 0));
    if (span.size() > MOST_TIMES) {
      grainUs = Math.max(2 * grainUs, Math.max(1, periodUs / GRAINS));
      span.group(grainUs);
    }
    long nextGapUs = request.timeUs() - lastUs;
    if (nextGapUs >= SHORTEST_US && nextGapUs <= LONGEST_US) {
      even += 3 * Math.abs(nextGapUs - gapUs) <= gapUs ? 1 : 0;
    }
    soon += requests > 0 && nextGapUs <= SECOND_US ? 1 : 0;
    gapUs = nextGapUs;
    lastUs = request.timeUs();
    requests++;
    units += request.cost();
    long now = request.timeUs() / periodUs;
    long ended = now == window ? 0 : inWindow;
    inWindow = now == window ? inWindow + request.cost() : request.cost();
    window = now;
    return ended;
  }

  /** Units of the last window. */
  long inWindow() {
    return inWindow;
  }

  /** Returns whether it asks again and again after about a second, as retries do. */
  boolean isMetronome() {
    return requests >= FEW && even >= requests * 2 / 3;
  }

  /**
   * How full a bucket of this rate would be after a request; to be called for each in order once
   * all are counted.
   */
  double fill(TrafficRequest request, double unitsPerUs) {
    long sinceUs = level == 0 ? 0 : request.timeUs() - lastUs;
    level = Math.max(0, level - sinceUs * unitsPerUs) + request.cost();
    lastUs = request.timeUs();
    return level;
  }
}
