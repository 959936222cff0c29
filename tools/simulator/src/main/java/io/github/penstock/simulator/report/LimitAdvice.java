package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.advice.DemandProfile;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.stats.FairnessStats.Share;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one sentence about a log: the limit to use of those that were played, its cost, and the
 * alternative.
 *
 * <p>A limit that troubles fewer subjects is better, then one that leaves fewer requests unserved.
 * Where that differs by less than one in a thousand, the log does not tell them apart: the
 * preference of {@link LimitCandidate#PREFERENCE} decides. A limit that can never admit one request
 * of a thousand is a mistake, and is not offered.
 */
public final class LimitAdvice {
  private static final long SMALL_PART = 1_000;
  private static final long MANY = 10;
  private static final int NAMES = 2;
  private static final int SHOWN = 20;
  private final ReplayResult played;
  private final DemandProfile demand;
  private final boolean derived;
  private final List<LimitResult> ranked;
  private final double offPercent;
  private final String why;
  private final String warning;
  private final @Nullable LimitResult small;
  private final @Nullable LimitResult best;
  private final @Nullable LimitResult other;

  public LimitAdvice(LogPlayed log) {
    played = log.played();
    demand = log.demand();
    derived = log.derived();
    ranked = ranked();
    small = derived ? small() : null;
    LogText text = new LogText(log);
    offPercent = 100 * Math.abs(text.sampleError());
    DemandText said = new DemandText(log);
    why = said.whyNoNumber();
    warning = said.warning();
    boolean some = offPercent <= MANY && !ranked.isEmpty() && why.isEmpty();
    best = !some ? null : small != null ? small : ranked.get(0);
    other = best == null || ranked.size() < 2 ? null : best == small ? ranked.get(0) : other(best);
  }

  private List<LimitResult> ranked() {
    List<LimitResult> usable = played.results().stream().filter(each -> !isMistake(each)).toList();
    LimitResult fewest =
        usable.stream()
            .min(
                Comparator.comparingLong(LimitAdvice::troubled)
                    .thenComparing(each -> each.stats().unserved()))
            .orElse(null);
    if (fewest == null) {
      return List.of();
    }
    Comparator<LimitResult> order =
        Comparator.comparing((LimitResult each) -> !isLike(fewest, each))
            .thenComparing(each -> isLike(fewest, each) ? 0 : troubled(each))
            .thenComparing(each -> isLike(fewest, each) ? 0 : each.stats().unserved());
    return usable.stream()
        .sorted(
            derived
                ? order
                : order
                    .thenComparing(LimitResult::candidate, LimitCandidate.PREFERENCE)
                    .thenComparing(this::canPass))
        .toList();
  }

  /* That of the smaller of two groups. */
  private @Nullable LimitResult small() {
    return demand.smallNumber() == null
        ? null
        : ranked.stream()
            .filter(
                each -> each.candidate().equals(demand.limits().get(demand.limits().size() - 1)))
            .findFirst()
            .orElse(null);
  }

  static boolean isMistake(LimitResult limit) {
    return limit.stats().never() * SMALL_PART > limit.stats().asked();
  }

  private static long troubled(LimitResult limit) {
    return limit.stats().troubled().count();
  }

  private static boolean isLike(LimitResult fewest, LimitResult each) {
    ReplayStats stats = each.stats();
    return troubled(each) - troubled(fewest) <= stats.shares().subjects() / SMALL_PART
        && stats.unserved() - fewest.stats().unserved() <= stats.asked() / SMALL_PART;
  }

  /* One that does the same and can pass less, or does the same, or is the next. */
  private LimitResult other(LimitResult first) {
    List<LimitResult> rest = ranked.subList(1, ranked.size());
    return rest.stream()
        .filter(each -> isLike(first, each) && canPass(each) < canPass(first))
        .findFirst()
        .orElse(rest.get(0));
  }

  private long canPass(LimitResult limit) {
    return limit.candidate().atMostIn(demand.periodUs(), !limit.stats().hasCosts());
  }

  public boolean hasLimit() {
    return best != null;
  }

  /** The limit to copy; empty if none is advised. */
  public String limit() {
    return best == null ? "" : best.candidate().name();
  }

  /** The limits that the sentence names, at most two. */
  public List<LimitResult> named() {
    return Stream.of(best, other).flatMap(Stream::ofNullable).toList();
  }

  public String sentence() {
    if (offPercent > MANY) {
      return "No advice from this sample: by it there are %s requests, %s %% off those of the log. Play all, or a larger --sample."
          .formatted(
              played.whole(played.results().get(0).stats().asked()), NumberText.tenths(offPercent));
    }
    if (best == null) {
      return played.results().stream().allMatch(LimitAdvice::isMistake)
          ? "None of these limits can be used: each can never admit some of these requests."
          : "No number follows from this log: " + why + ".";
    }
    if (best == small && other != null) {
      return "No one number fits two groups of subjects. For the %s that ask for at most %s in any %s use %s: it %s. For the others, if they are meant to ask for more, use %s, which does nothing for %s of the subjects."
          .formatted(
              played.whole(Math.round(demand.inSmallGroup())),
              NumberText.count(Objects.requireNonNull(demand.smallNumber())),
              NumberText.per(demand.periodUs()),
              limit(),
              effect(best),
              other.candidate().name(),
              NumberText.percent(Math.round(demand.inSmallGroup()), Math.round(demand.subjects())));
    }
    boolean bad = troubled(best) * MANY > best.stats().shares().subjects();
    String intro =
        played.results().size() == 1
            ? best.candidate().name()
            : bad && !derived
                ? "None of these limits suits this log. The best is "
                    + best.candidate().name()
                    + ", which"
                : "Use " + best.candidate().name() + ". It";
    return "%s %s.%s%s".formatted(intro, effect(best), warning, alternative(best));
  }

  private String alternative(LimitResult first) {
    if (other == null) {
      return "";
    }
    boolean alike = isLike(first, other);
    boolean cheaper = canPass(other) < canPass(first);
    String names =
        ranked.stream()
            .filter(each -> each != first && isLike(first, each) && !(cheaper && each == other))
            .map(each -> name(each, first))
            .collect(Collectors.joining(", "));
    return (alike && !cheaper
            ? ""
            : " Alternative: %s, which %s; one subject can pass at most %s."
                .formatted(
                    other.candidate().name(),
                    alike ? "would deny as little on this log" : price(other.stats()),
                    NumberText.count(canPass(other))))
        + (names.isEmpty()
            ? ""
            : " On this log %s would deny as little."
                .formatted(names.replaceAll(", (?=\\S+$)", " and ")));
  }

  /* The algorithm, where the numbers are those of another. */
  private static String name(LimitResult limit, LimitResult other) {
    return limit.candidate().numbers().equals(other.candidate().numbers())
        ? limit.candidate().algorithm()
        : limit.candidate().name();
  }

  private String price(ReplayStats stats) {
    return "troubles %s of %s and %s"
            .formatted(
                played.whole(stats.troubled().count()),
                played.whole(stats.shares().subjects()),
                denies(stats))
        + (stats.late() == 0
            ? ""
            : ", and puts off half of the admitted by %s or more, %s beyond %s"
                .formatted(
                    NumberText.time(stats.medianDelayUs()),
                    NumberText.percent(stats.late(), stats.asked()),
                    NumberText.exactTime(stats.deadlineUs())));
  }

  private String effect(LimitResult limit) {
    ReplayStats stats = limit.stats();
    String waits =
        limit.candidate().limit().kind().queues() && stats.delays().longest() > 0
            ? "of the admitted half wait %s or more, and %s are delayed by more than %s"
                .formatted(
                    NumberText.time(stats.medianDelayUs()),
                    NumberText.percent(stats.late(), stats.asked()),
                    NumberText.exactTime(stats.deadlineUs()))
            : "no admitted request waits";
    return "%s and %s%s; %s; one subject can pass at most %s in any %s"
        .formatted(
            troubles(stats),
            denies(stats),
            theirs(stats),
            waits,
            NumberText.count(canPass(limit), stats.unit()),
            NumberText.per(demand.periodUs()));
  }

  private String denies(ReplayStats stats) {
    return stats.denied() == 0
        ? "denies nothing"
        : "denies " + played.deniedPart(stats) + " of the requests";
  }

  /* Whether nearly all that is denied is denied to the troubled ones that are named. */
  private static String theirs(ReplayStats stats) {
    List<Share> named = named(stats);
    long theirs = named.stream().mapToLong(Share::denied).sum();
    return stats.troubled().count() > named.size() || theirs * MANY <= stats.denied() * (MANY - 1)
        ? ""
        : ", nearly all of them " + (named.size() == 1 ? "this subject's" : "theirs");
  }

  private static List<Share> named(ReplayStats stats) {
    return stats.shares().mostDenied(SHOWN).stream()
        .filter(each -> stats.troubled().has(each.subject()))
        .limit(NAMES)
        .toList();
  }

  private String troubles(ReplayStats stats) {
    long count = stats.troubled().count();
    long subjects = stats.shares().subjects();
    if (subjects == 1) {
      return count == 0 ? "does not trouble the one subject" : "troubles the one subject";
    }
    String all = played.whole(subjects) + " subjects";
    if (count == 0) {
      return "troubles none of " + all;
    }
    List<Share> named = named(stats);
    String names =
        named.stream()
            .map(
                each ->
                    SafeText.terminal(each.subject())
                        + ", "
                        + NumberText.percent(each.asked(), stats.asked())
                        + " of the requests")
            .collect(Collectors.joining("; "));
    String more = count > named.size() && !names.isEmpty() ? "; and others" : "";
    return "troubles %s of %s%s"
        .formatted(played.whole(count), all, names.isEmpty() ? "" : " (" + names + more + ")");
  }

  /* The waits of denied callers; those of callers that a leaky bucket admits if it denies none. */
  private static String medianWait(LimitResult limit) {
    long delayUs = limit.stats().medianDelayUs();
    return limit.stats().denied() == 0 && delayUs > 0
        ? NumberText.time(delayUs)
        : LimitTables.waitText(limit, ReplayStats::medianWaitUs);
  }

  private record AdviceRow(String name, Function<LimitResult, @Nullable Object> value) {}

  /** The named limits in four rows. */
  public ResultTable<?> table() {
    ReplayStats any = played.results().get(0).stats();
    List<AdviceRow> rows =
        List.of(
            new AdviceRow(
                "can pass in any " + NumberText.per(demand.periodUs()),
                each -> NumberText.count(canPass(each))),
            new AdviceRow("requests denied", each -> played.deniedPart(each.stats())),
            new AdviceRow(
                named().stream().anyMatch(each -> each.candidate().limit().kind().queues())
                    ? "median wait"
                    : "median retry-after",
                LimitAdvice::medianWait),
            new AdviceRow(
                "delayed by more than " + NumberText.exactTime(any.deadlineUs()),
                each -> NumberText.percent(each.stats().late(), each.stats().asked())));
    ResultTable<AdviceRow> table =
        new ResultTable<AdviceRow>("Their price", rows).words("price", AdviceRow::name);
    for (LimitResult each : named()) {
      table.figure(each.candidate().name(), FigureKind.WRITTEN, row -> row.value.apply(each));
    }
    return table.note(
        "Can pass: the most that one subject could get, such as a full bucket and all that refills meanwhile. Retry-after: the time until a denied request would pass. A subject is troubled if in some hour of the log more than 1 %% of its requests, and at least one, are denied or delayed by more than %s."
            .formatted(NumberText.exactTime(any.deadlineUs())));
  }

  Object json() {
    return ReportFiles.fields(
        "sentence", sentence(),
        "limit", best == null ? null : limit(),
        "alternative", other == null ? null : other.candidate().name(),
        "period_us", demand.periodUs(),
        "number", demand.number(),
        "enough_burst", demand.burst(),
        "busiest_p50", demand.quantileOfAll(0.5),
        "busiest_p90", demand.quantileOfAll(0.9),
        "busiest_p99", demand.quantileOfAll(0.99),
        "busiest_max", demand.quantileOfAll(1),
        "loud", demand.loudest());
  }
}
