package io.github.penstock.simulator.advice;

import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The demand of the subjects of a log in any span of a period, and in its windows of the clock. Of
 * more than {@value #MOST} subjects, a part that a hash chooses represents the others, beside those
 * that make a thousandth of the requests. Not safe for use by several threads.
 */
final class TrafficDemand {
  private static final int MOST = 200_000;
  private static final int HEAVY = 1_000;
  private static final int PARTS = 6;
  private static final long SALT = 4;
  private static final int FINEST = 9_999;
  final Map<Long, Double> windows = new TreeMap<>();
  final Map<Long, Long> costs = new TreeMap<>();
  final long periodUs;
  long requests;
  long units;
  long firstUs = -1;
  long lastUs;
  /* For subjects up to the busiest span of a number: by parts of the log, units and subjects. */
  final TimeSeries series = new TimeSeries();
  final double[] asked = new double[PARTS];
  final double[] asking = new double[PARTS];
  private final Map<String, SubjectDemand> subjects = new HashMap<>();
  private final SubjectSample log;
  private SubjectShare sample = new SubjectShare(1, SALT, 0);

  TrafficDemand(SortedLog log, long periodUs) {
    this.periodUs = periodUs;
    this.log = log.sample();
    RequestSource source = log.source();
    for (TrafficRequest next = source.next(); next != null; next = source.next()) {
      OrderlyStop.check();
      add(next);
    }
    subjects.values().forEach(each -> window(each, each.inWindow()));
  }

  private void add(TrafficRequest request) {
    firstUs = firstUs < 0 ? request.timeUs() : firstUs;
    lastUs = request.timeUs();
    long times = weight(request.subject());
    requests += times;
    units += times * request.cost();
    costs.merge(roundedUp(request.cost(), FINEST), times, Long::sum);
    SubjectDemand known = subjects.get(request.subject());
    if (known == null) {
      if (!sample.has(request.subject())) {
        return;
      }
      known = new SubjectDemand(request.subject());
      subjects.put(request.subject(), known);
      if (subjects.size() > MOST) {
        thin();
      }
    }
    window(known, known.add(request, periodUs));
  }

  private void thin() {
    sample = sample.oneIn(2 * sample.oneIn());
    subjects
        .values()
        .removeIf(each -> !sample.has(each.subject) && each.requests < requests / HEAVY);
  }

  private void window(SubjectDemand of, long ended) {
    if (ended > 0) {
      windows.merge(roundedUp(ended, FINEST), weight(of), Double::sum);
    }
  }

  /** Rounded up to a multiple of the least power of ten that gives at most this many steps. */
  static long roundedUp(long value, long most) {
    long step = 1;
    while (value / step > most) {
      step *= 10;
    }
    return (value + step - 1) / step * step;
  }

  /** Returns for how many subjects one stands. */
  double weight(SubjectDemand of) {
    return (sample.has(of.subject) ? sample.oneIn() : 1) * weight(of.subject);
  }

  private long weight(String subject) {
    return log.isWhole() ? 1 : log.weight(SubjectShare.hash(subject));
  }

  /** From the quietest to the loudest. */
  List<SubjectDemand> sorted() {
    return subjects.values().stream()
        .sorted(
            Comparator.comparingLong((SubjectDemand each) -> each.busiest)
                .thenComparing(each -> each.subject))
        .toList();
  }

  /** The most that a bucket of this rate must hold so that subjects up to a busiest span pass. */
  long burst(SortedLog log, double unitsPerUs, long most) {
    double burst = 1;
    RequestSource source = log.source();
    for (TrafficRequest next = source.next(); next != null; next = source.next()) {
      OrderlyStop.check();
      SubjectDemand known = subjects.get(next.subject());
      if (known != null && known.busiest <= most) {
        burst = Math.max(burst, known.fill(next, unitsPerUs));
        series.add(Kind.ASKED, next.timeUs(), Math.round(weight(known) * next.cost()));
        int part = (int) (PARTS * (next.timeUs() - firstUs) / (lastUs + 1 - firstUs));
        asked[part] += weight(known) * next.cost();
        asking[part] += known.part == part ? 0 : weight(known);
        known.part = part;
      }
    }
    return (long) Math.ceil(burst - 1e-6);
  }
}
