package io.github.penstock.simulator.report;

import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Questions that the played traffic cannot answer, and limits that are probably mistakes. */
public final class LimitCautions {
  private static final int MOST_NAMES = 3;

  private LimitCautions() {}

  /**
   * Limits that cannot admit some requests, tiers that do nothing, and periods that are longer than
   * the log.
   */
  public static List<ReportFinding> of(ReplayResult played) {
    return Stream.of(never(played), tiers(played), tooShort(played))
        .flatMap(each -> each)
        .map(ReportFinding::caution)
        .toList();
  }

  private static Stream<String> never(ReplayResult played) {
    List<LimitResult> some =
        played.results().stream().filter(each -> each.stats().never() > 0).toList();
    if (some.isEmpty()) {
      return Stream.empty();
    }
    LimitResult worst =
        some.stream().max(Comparator.comparing(each -> each.stats().never())).orElseThrow();
    long requests = worst.stats().never();
    return Stream.of(
        "%s can never admit %s (%s): %s more than %s ever allow%s, however long the caller waits. Raise %s, or lower the cost."
            .formatted(
                names(some),
                NumberText.count(requests, "request"),
                NumberText.percent(requests, worst.stats().asked()),
                requests == 1 ? "it costs" : "each costs",
                some.size() == 1 ? "that" : "these",
                some.size() == 1 ? "s" : "",
                some.stream()
                    .map(each -> each.candidate().limit().kind().holdsBurst() ? "burst" : "limit")
                    .distinct()
                    .collect(Collectors.joining(" and the ", "the ", ""))));
  }

  private static String names(List<LimitResult> results) {
    return results.size() > MOST_NAMES
        ? results.size() + " of these limits"
        : results.stream().map(each -> each.candidate().name()).collect(Collectors.joining(", "));
  }

  private static Stream<String> tiers(ReplayResult played) {
    List<String> idle = new ArrayList<>();
    for (LimitResult each : played.results()) {
      List<String> tiers = each.candidate().tiers();
      if (tiers.size() > 1 && each.stats().denied() == 0) {
        idle.add("No tier of %s denies anything here.".formatted(each.candidate().name()));
        continue;
      }
      for (int tier = 0; tiers.size() > 1 && tier < tiers.size(); tier++) {
        if (each.stats().tierMatters(tier) == 0) {
          idle.add(
              "Tier %d of %s, %s, does nothing here: without it the same requests are denied."
                  .formatted(tier + 1, each.candidate().name(), tiers.get(tier)));
        }
      }
    }
    return idle.stream();
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
                    LimitCautions::longestUs,
                    TreeMap::new,
                    Collectors.mapping(each -> each.candidate().name(), Collectors.joining(", "))));
    return names.entrySet().stream()
        .filter(each -> each.getKey() > coversUs)
        .map(
            each ->
                "The log covers %s, less than the period of %s: it does not show what a whole %s would be."
                    .formatted(
                        coversUs == 0 ? "one moment" : NumberText.time(coversUs),
                        each.getValue(),
                        NumberText.exactTime(each.getKey())));
  }

  /* A rate is a ratio: the time that a bucket takes to fill matters, not its notation. */
  private static long longestUs(LimitResult result) {
    boolean evenly = result.candidate().limit().kind().refill() == RefillForm.EVENLY;
    return result.candidate().limit().tiers().stream()
        .mapToLong(
            tier ->
                evenly
                    ? (long) ((double) tier.capacity() * tier.periodMicros() / tier.units())
                    : tier.periodMicros())
        .max()
        .orElseThrow();
  }
}
