package io.github.penstock.simulator.replay;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.simulator.log.LogProgress;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds by bisection the least number of each algorithm, burst equal to it, that denies at most
 * 0.1, 1 and 5 % of a log's requests. Not safe for use by several threads.
 *
 * <p>Of requests that all cost 1, a fixed window, a token bucket and a leaky bucket with a greater
 * number never deny more, so that the number is the least of all. Costs that differ, a sliding
 * window and an interval bucket have exceptions: one admitted request may cost two later ones. What
 * is found then denies few enough and one unit less denies too many, but a number further below may
 * do by chance. ADR 18 has the reasons.
 */
public final class LimitSearch {
  private static final String ANY_NUMBER = "1";
  private final SortedLog log;
  private final String period;
  private final SubjectBounds bounds;
  private final List<Bisection> all = new ArrayList<>();

  private LimitSearch(SortedLog log, String period) {
    this.log = log;
    this.period = period;
    List<LimitCandidate> any = LimitCandidate.ofEachAlgorithm(ANY_NUMBER + "/" + period);
    bounds = new SubjectBounds(any.get(0).limit().tiers().get(0).periodMicros());
    RequestSource source = log.source();
    for (TrafficRequest next = source.next(); next != null; next = source.next()) {
      OrderlyStop.check();
      bounds.add(next);
    }
    for (int perMille : LimitSuggestion.EACH_PER_MILLE) {
      any.forEach(each -> all.add(new Bisection(each, perMille)));
    }
  }

  /**
   * The suggestions for 0.1, 1 and 5 %.
   *
   * @param period of a limit, such as {@code 1m}
   * @param err where progress is printed
   */
  public static List<LimitSuggestion> of(SortedLog log, String period, PrintWriter err) {
    LimitSearch search = new LimitSearch(log, period);
    int passes = search.all.stream().mapToInt(Bisection::steps).max().orElse(0);
    try (LogProgress progress = LogProgress.searching(err, log, passes)) {
      while (search.all.stream().anyMatch(Bisection::isOpen)) {
        search.pass(log.source(progress));
      }
    }
    return LimitSuggestion.EACH_PER_MILLE.stream().map(search::suggestion).toList();
  }

  /* Each number is tried once in a pass, whichever share of the requests it is tried for. */
  private void pass(RequestSource source) {
    Map<LimitCandidate, LimitProbe> probes = new HashMap<>();
    Map<Bisection, LimitProbe> open = new HashMap<>();
    for (Bisection each : all) {
      if (each.isOpen()) {
        open.put(each, probes.computeIfAbsent(each.limit(), this::probe));
      }
    }
    for (TrafficRequest next = source.next(); next != null; next = source.next()) {
      OrderlyStop.check();
      long most = bounds.most(next.subject());
      for (LimitProbe probe : probes.values()) {
        probe.decide(next, most);
      }
    }
    open.forEach(Bisection::tried);
  }

  private LimitProbe probe(LimitCandidate candidate) {
    long units = candidate.limit().tiers().get(0).units();
    int greatest = LimitSuggestion.EACH_PER_MILLE.get(LimitSuggestion.EACH_PER_MILLE.size() - 1);
    return new LimitProbe(
        candidate, units / spans(candidate), LimitSuggestion.mayDeny(bounds.requests(), greatest));
  }

  private LimitSuggestion suggestion(int perMille) {
    List<LimitCandidate> limits = new ArrayList<>();
    List<String> without = new ArrayList<>();
    for (Bisection each : all) {
      if (each.perMille == perMille) {
        if (each.enough > each.numbers.most()) {
          without.add(each.numbers.algorithm());
        } else {
          limits.add(each.numbers.limit(each.enough));
        }
      }
    }
    return new LimitSuggestion(perMille, limits, without);
  }

  /*
   * A limit of as much as a subject asks for in any span of its period never denies it; a sliding window, which
   * counts up to two periods, of twice as much.
   */
  private static long spans(LimitCandidate limit) {
    return limit.limit().kind().refill() == RefillForm.FADING ? 2 : 1;
  }

  /* In steps: the least number lies above one that is too little and is at most one that is enough. */
  private final class Bisection {
    private final LimitNumbers numbers;
    private final int perMille;
    private long tooLittle;
    private long enough;

    Bisection(LimitCandidate any, int perMille) {
      this.perMille = perMille;
      long most = Math.min(bounds.most(), Limit.MAX_UNITS + 1) * spans(any);
      numbers = LimitNumbers.upTo(most, any.algorithm(), period);
      long neverDenies = (most + numbers.step() - 1) / numbers.step();
      enough = Math.min(neverDenies, numbers.most() + 1);
    }

    boolean isOpen() {
      return enough - tooLittle > 1;
    }

    long middle() {
      return tooLittle + (enough - tooLittle) / 2;
    }

    LimitCandidate limit() {
      return numbers.limit(middle());
    }

    int steps() {
      return Long.SIZE - Long.numberOfLeadingZeros(enough - 1);
    }

    void tried(LimitProbe probe) {
      if (probe.denied() > LimitSuggestion.mayDeny(bounds.requests(), perMille)) {
        tooLittle = middle();
      } else {
        enough = middle();
      }
    }
  }
}
