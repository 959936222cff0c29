package io.github.penstock.simulator.report;

import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which limit to use, as far as traffic tells. Only limits of one rate are held against each other,
 * by what they can let pass and what they did to callers ({@link LimitMerits}). One that is worse
 * in nothing is recommended; where each is better in something, two are shown and none is
 * recommended.
 */
public final class LimitAdvice {
  private static final double MUCH = 50;
  private final ReplayResult played;
  private final Map<LimitResult, LimitMerits> merits = new LinkedHashMap<>();

  /** Advice from what was played. */
  public LimitAdvice(ReplayResult played) {
    this.played = played;
    played.results().forEach(each -> merits.put(each, LimitMerits.of(each)));
  }

  /** The limit to use; empty if none is recommended. */
  public String recommended() {
    List<List<LimitResult>> rates = rates();
    LimitResult best = rates.size() == 1 && isDecided(played.results()) ? best(rates.get(0)) : null;
    return best == null || isTooStrict(best) ? "" : best.candidate().name();
  }

  /** Which limit to use, or what each of two costs. */
  public List<String> advice() {
    if (!isDecided(played.results())) {
      return List.of(
          "None of the limits denied anything, so this traffic does not tell them apart.");
    }
    List<List<LimitResult>> rates = rates();
    List<String> advice = new ArrayList<>();
    if (rates.size() > 1) {
      advice.add(
          "These limits have %d different rates or periods. How much a subject may have is for you to choose; the table shows what each rate would deny."
              .formatted(rates.size()));
    }
    rates.stream()
        .filter(limits -> rates.size() == 1 || limits.size() > 1 && isDecided(limits))
        .forEach(limits -> advice.addAll(advice(limits, of(limits, rates.size()))));
    return advice;
  }

  private static String of(List<LimitResult> limits, int rates) {
    return rates == 1 ? "" : "Of " + limits.get(0).candidate().rate() + ": ";
  }

  private List<String> advice(List<LimitResult> limits, String of) {
    LimitResult best = best(limits);
    if (best != null) {
      boolean only = limits.size() == 1;
      String begins = isTooStrict(best) ? "None of these limits fits. The best is " : "Use ";
      return List.of(
          of
              + (only ? "" : begins)
              + best.candidate().name()
              + (only ? ": " : ". ")
              + costs(best)
              + alike(best, limits));
    }
    return Stream.concat(
            Stream.of(of + "None of these limits is better in everything. Choose between two:"),
            trade(limits).stream().map(each -> each.candidate().name() + ". " + costs(each)))
        .toList();
  }

  /** The first that no other is better than in anything; null if each is worse in something. */
  private @Nullable LimitResult best(List<LimitResult> limits) {
    return limits.stream()
        .filter(each -> limits.stream().noneMatch(other -> of(other).isBetterInAny(of(each))))
        .findFirst()
        .orElse(null);
  }

  /** The limit that can pass least and the one that hurts least, of those that no other beats. */
  private List<LimitResult> trade(List<LimitResult> limits) {
    List<LimitResult> unbeaten =
        limits.stream()
            .filter(each -> limits.stream().noneMatch(other -> of(other).isBetterThan(of(each))))
            .toList();
    LimitResult strict =
        unbeaten.stream().min(Comparator.comparingDouble(LimitAdvice::canPassTimes)).orElseThrow();
    LimitResult kind =
        unbeaten.stream()
            .filter(each -> !each.equals(strict))
            .min(
                Comparator.comparingLong((LimitResult each) -> of(each).delayUs())
                    .thenComparing(each -> of(each).denied())
                    .thenComparing(each -> of(each).waitUs()))
            .orElseThrow();
    return List.of(strict, kind);
  }

  private LimitMerits of(LimitResult result) {
    return Objects.requireNonNull(merits.get(result));
  }

  private static double canPassTimes(LimitResult result) {
    return result.stats().peaks().stream()
        .mapToDouble(peak -> (double) result.atMost(peak) / peak.tier().units())
        .max()
        .orElseThrow();
  }

  private List<List<LimitResult>> rates() {
    Map<List<Long>, List<LimitResult>> rates = new LinkedHashMap<>();
    merits
        .keySet()
        .forEach(each -> rates.computeIfAbsent(rate(each), rate -> new ArrayList<>()).add(each));
    return List.copyOf(rates.values());
  }

  /* In whichever order its tiers were given. */
  private static List<Long> rate(LimitResult result) {
    return result.candidate().limit().tiers().stream()
        .sorted(LimitMerits.SHORTER)
        .flatMap(tier -> Stream.of(tier.units(), tier.periodMicros()))
        .toList();
  }

  private static boolean isDecided(List<LimitResult> limits) {
    return limits.stream().anyMatch(each -> each.stats().denied() > 0);
  }

  /** The others that nothing tells from it. */
  private String alike(LimitResult best, List<LimitResult> limits) {
    String others =
        limits.stream()
            .filter(each -> !each.equals(best) && !of(best).isBetterInAny(of(each)))
            .map(each -> each.candidate().name())
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? "" : " This traffic does not tell it from " + others + ".";
  }

  private static boolean isTooStrict(LimitResult result) {
    ReplayStats stats = result.stats();
    return 100.0 * stats.denied() >= MUCH * stats.asked();
  }

  private static String costs(LimitResult result) {
    ReplayStats stats = result.stats();
    String putOff =
        stats.longDelayUs() == 0
            ? ""
            : " It puts off 1 %% of the admitted by %s or more."
                .formatted(NumberText.time(stats.longDelayUs()));
    return canPass(result)
        + (stats.denied() == 0 ? " It denies no request." : denials(stats))
        + putOff;
  }

  private static String denials(ReplayStats stats) {
    String waits =
        stats.longWaitUs() == ReplayStats.FOR_EVER
            ? NumberText.percent(stats.never(), stats.denied()) + " of the denied can never pass."
            : "99 % of the denied must wait no longer than "
                + NumberText.time(stats.longWaitUs())
                + ".";
    return " It denies %s of the requests, from %s of %s, and "
            .formatted(
                NumberText.percent(stats.denied(), stats.asked()),
                NumberText.count(stats.shares().everDenied()),
                stats.shares().subjectsText(count -> NumberText.count(count, "subject")))
        + waits;
  }

  private static String canPass(LimitResult each) {
    PeakUsage peak = each.stats().worstPeak();
    LimitTier tier = peak.tier();
    return "It can pass %s of one subject in any %s%s; here %s%s passed."
        .formatted(
            NumberText.count(each.atMost(peak), each.stats().unit()),
            NumberText.per(tier.periodMicros()),
            each.candidate().whyAtMost(tier),
            peak.exact() ? "" : "up to ",
            NumberText.count(peak.most()));
  }

  /** What this traffic cannot tell of a limit, and requests that can never pass. */
  public List<ReportFinding> cautions() {
    return Stream.concat(merits.keySet().stream().flatMap(each -> never(each).stream()), tooShort())
        .map(sentence -> new ReportFinding(FindingVerdict.CAUTION, sentence))
        .toList();
  }

  /* A sentence for each period that is longer than the log. */
  private Stream<String> tooShort() {
    Map<Long, List<String>> names = new TreeMap<>();
    for (LimitResult each : played.zone() == null ? List.<LimitResult>of() : played.results()) {
      long longestUs =
          each.candidate().limit().tiers().stream()
              .mapToLong(LimitTier::periodMicros)
              .max()
              .orElseThrow();
      if (coversUs(each) < longestUs) {
        names.computeIfAbsent(longestUs, us -> new ArrayList<>()).add(each.candidate().name());
      }
    }
    return names.entrySet().stream().map(each -> tooShort(each.getKey(), each.getValue()));
  }

  private String tooShort(long longestUs, List<String> names) {
    boolean one = names.size() == 1;
    return "The log covers %s, and %s %s over %s: this does not show what %s would do to a whole one."
        .formatted(
            NumberText.time(coversUs(played.results().get(0))),
            String.join(", ", names),
            one ? "counts" : "count",
            NumberText.exactTime(longestUs),
            one ? "it" : "they");
  }

  private static long coversUs(LimitResult result) {
    return result.stats().lastUs() - result.stats().firstUs();
  }

  private static List<String> never(LimitResult result) {
    long requests = result.stats().never();
    boolean window = !result.candidate().limit().kind().holdsBurst();
    return requests == 0
        ? List.of()
        : List.of(
            "%s can never admit %s of these requests: %s more than %s. Raise its %s, or lower the cost."
                .formatted(
                    result.candidate().name(),
                    NumberText.count(requests),
                    requests == 1 ? "it costs" : "each costs",
                    window ? "a window allows" : "it holds",
                    window ? "limit" : "burst"));
  }
}
