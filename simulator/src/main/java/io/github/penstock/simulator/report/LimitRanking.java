package io.github.penstock.simulator.report;

import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The limits that were played, the best one first: those that let admitted callers go ahead at once
 * stand before those that make them wait; then those that pass at most {@value #KEPT} times their
 * limit in any span of its length; then those that deny something to fewer subjects, then those
 * that deny fewer requests, in whole percents, then those that tell callers to wait for less.
 */
public final class LimitRanking {
  private static final double KEPT = 1.2;
  private static final double MUCH = 50;
  private static final long AT_ONCE_US = 1_000_000;
  /* Something to fewer subjects, then fewer requests. */
  private static final Comparator<LimitResult> DENIED =
      Comparator.comparing((LimitResult each) -> each.stats().shares().everDenied())
          .thenComparing(each -> Math.round(percentDenied(each.stats())));
  private static final Comparator<LimitResult> ORDER =
      Comparator.comparing((LimitResult each) -> isLate(each.stats()))
          .thenComparing(each -> !isKept(each.stats()))
          .thenComparing(DENIED)
          .thenComparing(each -> each.stats().longWaitUs());
  private final ReplayResult played;
  private final List<LimitResult> order;

  /** Ranks what was played. */
  public LimitRanking(ReplayResult played) {
    this.played = played;
    this.order = played.results().stream().sorted(ORDER).toList();
  }

  /** The limits in their order. */
  public List<LimitResult> order() {
    return order;
  }

  /** Returns whether any of them denied something, without which the order means little. */
  public boolean isDecided() {
    return order.stream().anyMatch(each -> each.stats().denied() > 0);
  }

  /** The names of the first, as a report calls them: several if nothing tells them apart. */
  List<String> firsts() {
    return order.stream()
        .filter(each -> ORDER.compare(each, order.get(0)) == 0)
        .map(played::label)
        .toList();
  }

  /** Which limit to write down, and why not one that denies less. */
  public List<String> advice() {
    if (!isDecided()) {
      return List.of(
          "None of the limits denied anything, so this traffic does not tell them apart.");
    }
    Stream<String> others =
        order.stream()
            .filter(each -> DENIED.compare(each, order.get(0)) < 0)
            .map(each -> each.candidate().name() + " denies less, but " + but(each));
    return Stream.concat(Stream.of(first(order.get(0))), others).toList();
  }

  private static String but(LimitResult each) {
    ReplayStats stats = each.stats();
    PeakUsage peak = stats.worstPeak();
    return isLate(stats)
        ? "makes callers that it admits wait up to "
            + NumberText.time(stats.delays().longest())
            + "."
        : "passed %s of one subject in %s."
            .formatted(
                NumberText.count(peak.most(), stats.unit()),
                NumberText.exactTime(peak.tier().periodMicros()));
  }

  private static String first(LimitResult first) {
    ReplayStats stats = first.stats();
    return "%s %s. %s %s"
        .formatted(
            percentDenied(stats) < MUCH ? "Write down" : "None of these limits fits. The best is",
            first.candidate().name(),
            stats.denied() == 0 ? "It denies no request." : denials(stats),
            most(first));
  }

  private static String denials(ReplayStats stats) {
    return "It denies %s of the requests, from %s of %s, and 99 %% of the denied must wait no longer than %s."
        .formatted(
            NumberText.percent(stats.denied(), stats.asked()),
            NumberText.count(stats.shares().everDenied()),
            NumberText.count(stats.shares().subjects(), "subject"),
            NumberText.time(stats.longWaitUs()));
  }

  private static String most(LimitResult each) {
    PeakUsage peak = each.stats().worstPeak();
    LimitTier tier = peak.tier();
    return "It passed %s%s of one subject in any %s, and can pass %s%s.%s"
        .formatted(
            peak.exact() ? "at most " : "up to ",
            NumberText.count(peak.most(), each.stats().unit()),
            NumberText.per(tier.periodMicros()),
            NumberText.count(each.atMost(peak)),
            each.candidate().whyAtMost(tier),
            isKept(each.stats()) || each.candidate().isWindow()
                ? ""
                : " With a smaller burst it passes less.");
  }

  /** The requests that can never pass, and what to do about them. */
  public List<ReportFinding> never() {
    return played.results().stream()
        .filter(each -> each.stats().never() > 0)
        .map(each -> new ReportFinding(FindingVerdict.CAUTION, never(each)))
        .toList();
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

  private static boolean isLate(ReplayStats stats) {
    return stats.longDelayUs() > AT_ONCE_US;
  }

  private static boolean isKept(ReplayStats stats) {
    return stats.worstPeak().timesLimit() <= KEPT;
  }

  private static double percentDenied(ReplayStats stats) {
    return stats.asked() == 0 ? 0 : 100.0 * stats.denied() / stats.asked();
  }
}
