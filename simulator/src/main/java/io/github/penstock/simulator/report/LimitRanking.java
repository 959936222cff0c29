package io.github.penstock.simulator.report;

import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The limits that were played, the best one first: those that pass at most {@value #KEPT} times
 * their limit in any span of its length stand before those that pass more; then those that deny
 * something to fewer subjects, then those that deny fewer requests, in whole percents, then those
 * that tell callers to wait for less.
 */
public final class LimitRanking {
  private static final double KEPT = 1.2;
  private static final double NEARLY_ALL = 99;
  private final ReplayResult played;
  private final List<LimitResult> order;

  /** Ranks what was played. */
  public LimitRanking(ReplayResult played) {
    this.played = played;
    this.order =
        played.results().stream()
            .sorted(
                Comparator.comparing((LimitResult each) -> !isKept(each.stats()))
                    .thenComparing(each -> each.stats().shares().everDenied())
                    .thenComparing(each -> Math.round(percentDenied(each.stats())))
                    .thenComparing(each -> longestWaitUs(each.stats())))
            .toList();
  }

  /** The limits in their order. */
  public List<LimitResult> order() {
    return order;
  }

  /** Whether any of them denied something, without which the order means little. */
  public boolean isDecided() {
    return order.stream().anyMatch(each -> each.stats().denied() > 0);
  }

  /** The sentences that stand first: what comes first and why, what passes more than its limit. */
  public List<ReportFinding> findings() {
    List<ReportFinding> findings = new ArrayList<>();
    findings.add(
        ReportFinding.note(
            isDecided() ? first() : "None of the limits denied anything of this traffic."));
    if (order.stream().anyMatch(each -> !isKept(each.stats()))) {
      findings.add(new ReportFinding(FindingVerdict.CAUTION, more()));
    }
    findings.addAll(never());
    return findings;
  }

  /** The requests that can never pass, and what to do about them. */
  public List<ReportFinding> never() {
    return played.results().stream()
        .filter(each -> each.stats().never() > 0)
        .map(each -> new ReportFinding(FindingVerdict.CAUTION, never(each)))
        .toList();
  }

  private String first() {
    LimitResult first = order.get(0);
    ReplayStats stats = first.stats();
    PeakUsage peak = stats.worstPeak();
    return ("%s%s: it denies %s of the requests to %s of %s; at most %s pass in %s, where its limit is %s;"
            + " 99 %% of all callers are told to wait no longer than %s.")
        .formatted(
            played.label(first),
            order.size() > 1 ? " comes first" : "",
            NumberText.percent(stats.denied(), stats.asked()),
            NumberText.count(stats.shares().everDenied()),
            NumberText.count(stats.shares().subjects(), "subject"),
            NumberText.count(peak.most()),
            NumberText.exactTime(peak.allowance().periodUs()),
            NumberText.count(peak.allowance().units()),
            NumberText.time(longestWaitUs(stats)));
  }

  private String more() {
    return order.stream()
        .filter(each -> !isKept(each.stats()))
        .map(each -> more(each, each.stats().worstPeak()))
        .collect(
            Collectors.joining(
                ", ",
                "More than the limit passes in one length of it: ",
                ". A smaller burst bounds a bucket; a window can pass twice its limit around its"
                    + " edge."));
  }

  private String more(LimitResult each, PeakUsage peak) {
    return "%s%s in %s (%s, %s times its limit)"
        .formatted(
            peak.exact() ? "" : "up to ",
            NumberText.count(peak.most()),
            NumberText.exactTime(peak.allowance().periodUs()),
            played.label(each),
            NumberText.hundredths(peak.timesLimit()));
  }

  private static String never(LimitResult result) {
    long requests = result.stats().never();
    boolean window = result.candidate().isWindow();
    return "%s can never admit %s of these requests: %s more than %s. Raise its %s, or lower the cost."
        .formatted(
            result.candidate().name(),
            NumberText.count(requests),
            requests == 1 ? "it costs" : "each costs",
            window ? "a window allows" : "it holds",
            window ? "limit" : "burst");
  }

  private static boolean isKept(ReplayStats stats) {
    return stats.worstPeak().timesLimit() <= KEPT;
  }

  private static double percentDenied(ReplayStats stats) {
    return stats.asked() == 0 ? 0 : 100.0 * stats.denied() / stats.asked();
  }

  private static long longestWaitUs(ReplayStats stats) {
    return Math.max(stats.waits().percentile(NEARLY_ALL), stats.delays().percentile(NEARLY_ALL));
  }
}
