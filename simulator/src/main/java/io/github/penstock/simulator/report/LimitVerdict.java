package io.github.penstock.simulator.report;

import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The one sentence about the limits that were played, and what this traffic cannot show. */
public final class LimitVerdict {
  private static final long AT_ONCE_US = 1_000_000;

  private LimitVerdict() {}

  /** The limit that denies the fewest subjects, and its price. */
  public static String of(ReplayResult played) {
    List<LimitResult> results = played.results();
    if (results.stream().allMatch(each -> each.stats().denied() == 0)) {
      return "None of the limits denied anything, so this traffic does not tell them apart.";
    }
    List<LimitResult> atOnce =
        results.stream().filter(each -> each.stats().longDelayUs() <= AT_ONCE_US).toList();
    LimitResult fewest =
        (atOnce.isEmpty() ? results : atOnce)
            .stream()
                .min(
                    Comparator.comparingLong((LimitResult each) -> hurt(each))
                        .thenComparing(each -> each.stats().denied())
                        .thenComparing(each -> each.atMost(each.stats().worstPeak())))
                .orElseThrow();
    ReplayStats stats = fewest.stats();
    PeakUsage peak = stats.worstPeak();
    return "%s denies the fewest subjects%s: %s of %s, %s of the requests; it can pass %s of one subject in any %s."
        .formatted(
            fewest.candidate().name(),
            atOnce.isEmpty() || atOnce.size() == results.size()
                ? ""
                : " of those that answer within a second",
            NumberText.count(hurt(fewest)),
            NumberText.count(stats.shares().subjects()),
            NumberText.percent(stats.denied(), stats.asked()),
            NumberText.count(fewest.atMost(peak), stats.unit()),
            NumberText.per(peak.tier().periodMicros()));
  }

  private static long hurt(LimitResult result) {
    return result.stats().shares().everDenied();
  }

  /** Requests that can never pass, and periods that are longer than the log. */
  public static List<ReportFinding> cautions(ReplayResult played) {
    return Stream.concat(
            played.results().stream()
                .filter(each -> each.stats().never() > 0)
                .map(LimitVerdict::never),
            tooShort(played))
        .map(ReportFinding::caution)
        .toList();
  }

  private static String never(LimitResult result) {
    long requests = result.stats().never();
    boolean window = !result.candidate().limit().kind().holdsBurst();
    return "%s can never admit %s of these requests: %s more than %s. Raise its %s, or lower the cost."
        .formatted(
            result.candidate().name(),
            NumberText.count(requests),
            requests == 1 ? "it costs" : "each costs",
            window ? "a window allows" : "it holds",
            window ? "limit" : "burst");
  }

  private static Stream<String> tooShort(ReplayResult played) {
    if (played.zone() == null) {
      return Stream.empty();
    }
    ReplayStats any = played.results().get(0).stats();
    long coversUs = any.lastUs() - any.firstUs();
    Map<Long, String> names =
        played.results().stream()
            .collect(
                Collectors.groupingBy(
                    LimitVerdict::longestUs,
                    TreeMap::new,
                    Collectors.mapping(each -> each.candidate().name(), Collectors.joining(", "))));
    return names.entrySet().stream()
        .filter(each -> each.getKey() > coversUs)
        .map(
            each ->
                "The log covers %s, less than the period of %s: it does not show what a whole %s would be."
                    .formatted(
                        NumberText.time(coversUs),
                        each.getValue(),
                        NumberText.exactTime(each.getKey())));
  }

  private static long longestUs(LimitResult result) {
    return result.candidate().limit().tiers().stream()
        .mapToLong(LimitTier::periodMicros)
        .max()
        .orElseThrow();
  }
}
