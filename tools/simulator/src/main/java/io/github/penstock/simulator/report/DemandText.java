package io.github.penstock.simulator.report;

import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.advice.DemandProfile;
import io.github.penstock.simulator.advice.DemandProfile.LoudSubject;
import io.github.penstock.simulator.log.LogCount;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The demand of a log, in the sentences that accompany a number. */
public final class DemandText {
  private static final int PARTS = 6;
  private static final double RISE = 1.5;
  private static final double SPIKE = 5;
  private static final int FEW_REQUESTS = 100;
  private static final int RARE = 10;
  private static final int MANY_ADDRESSES = 4;
  private static final double NEARLY_ALL = 0.95;
  private final ReplayResult played;
  private final DemandProfile demand;
  private final boolean derived;
  private final LogCount count;
  private final ReplayStats stats;
  private final String per;
  private final String unit;

  public DemandText(LogPlayed log) {
    played = log.played();
    demand = log.demand();
    derived = log.derived();
    count = log.count();
    stats = played.results().get(0).stats();
    per = "in any " + NumberText.per(demand.periodUs());
    unit = stats.unit();
  }

  /** Why no number follows from the log; empty if one does, or limits were given. */
  String whyNoNumber() {
    return !derived
        ? ""
        : demand.spanUs() < demand.periodUs()
            ? "it covers less than a " + NumberText.per(demand.periodUs())
            : demand.asksOnce()
                ? "nobody asks twice " + per
                : looksLikeRetries()
                    ? "most of its subjects ask again after about a second, like clients that retry"
                    : "";
  }

  /** What the advised number depends on, as a sentence after the advice; empty if nothing. */
  String warning() {
    if (!derived) {
      return "";
    }
    String rising =
        isRising() && isRisingForEach()
            ? " The traffic is rising, so this number will soon be too small."
            : "";
    List<LoudSubject> loud = demand.loudest();
    return rising
        + (loud.isEmpty() || demand.subjects() <= 1
            ? ""
            : " If %s is a proxy with many users, it needs a limit of its own."
                .formatted(SafeText.terminal(loud.get(0).subject())));
  }

  private boolean isRising() {
    return demand.requests() >= FEW_REQUESTS && demand.rise() >= RISE;
  }

  private boolean isRisingForEach() {
    return demand.riseOfEach() >= RISE;
  }

  private boolean looksLikeRetries() {
    return demand.subjects() > 1 && 2 * demand.metronomes() >= demand.subjects();
  }

  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    double subjects = demand.subjects();
    long denied = count.of(LogCount.Kind.DENIED_BEFORE);
    if (denied > 0) {
      notes.add(
          "%s of the requests have status 429: a limit has denied them already, so they are demand that was not served, or retries. --where status!=429 leaves them out."
              .formatted(NumberText.percent(denied, count.of(LogCount.Kind.REQUESTS))));
    }
    if (demand.asksOnce()) {
      notes.add(
          "%s. A limit by this field would deny nothing. Choose a field by which a caller is recognised (--subject), or a longer period (--suggest)."
              .formatted(
                  demand.above(1) < 1
                      ? "Nobody asks twice " + per
                      : "Only %s of %s ask twice %s"
                          .formatted(whole(demand.above(1)), subjects(subjects), per)));
      return notes;
    }
    if (looksLikeRetries()) {
      notes.add(
          "%s of %s ask again after about a second: %s of the requests come within a second of the one before. Clients that retry denied requests do that, and a limit from this log would be a limit for their retries. Leave denied requests out, --where status!=429, or compare the limit that these clients had, --limit. If that limit was %s %s, about a third of the requests are first attempts; if it was %s, half. If the clients only poll, all requests are wanted, and each subject needs %s."
              .formatted(
                  whole(demand.metronomes()),
                  subjects(subjects),
                  NumberText.percent(demand.soon(), demand.requests()),
                  NumberText.count(Math.round(demand.number() / 3.0)),
                  "per " + NumberText.per(demand.periodUs()),
                  NumberText.count(Math.round(demand.number() / 2.0)),
                  NumberText.count(demand.number())));
    }
    if (subjects == 1) {
      notes.add(
          "All requests are of one subject, so this is a limit for the whole traffic: its fullest %s has %s, its fullest second %s."
              .formatted(
                  NumberText.per(demand.periodUs()),
                  count(demand.quantile(1)),
                  NumberText.count(demand.fullestSecond())));
    }
    loud(notes);
    if (!derived) {
      given(notes);
    }
    costs(notes);
    burst(notes);
    growth(notes);
    again(notes);
    if (demand.perNetwork() >= MANY_ADDRESSES) {
      notes.add(
          "The IPv6 addresses among them share networks of 64 bits, about %s in each, and one caller has all of such a network: --subject address/64 counts it once."
              .formatted(NumberText.count(demand.perNetwork())));
    }
    if (demand.requests() < FEW_REQUESTS) {
      notes.add(
          "The log has %s: too few for a number."
              .formatted(NumberText.count(demand.requests(), "request")));
    }
    return notes;
  }

  private void loud(List<String> notes) {
    List<LoudSubject> loud = demand.loudest();
    if (loud.isEmpty()) {
      return;
    }
    long loudUnits = loud.stream().mapToLong(LoudSubject::units).sum();
    long least = loud.get(loud.size() - 1).busiest();
    notes.add(
        "%s %s of the %ss, up to %s %s (%s): abuse, a program, or many users behind one proxy. Of the others none asks for more than %s: a number from %s to %s would never deny them a request."
            .formatted(
                loud.size() == 1 ? "1 subject makes" : loud.size() + " subjects make",
                NumberText.percent(loudUnits, demand.units()),
                unit,
                NumberText.count(loud.get(0).busiest()),
                per,
                SafeText.terminal(loud.get(0).subject()) + (loud.size() > 1 ? ", ..." : ""),
                NumberText.count(demand.quantile(1)),
                NumberText.count(demand.quantile(1)),
                NumberText.count(least - 1)));
  }

  private void given(List<String> notes) {
    Long small = demand.smallNumber();
    if (small != null) {
      notes.add(
          "%s of %s ask for at most %s %s, the others for up to %s: one number does nothing for most, or denies the others."
              .formatted(
                  whole(demand.inSmallGroup()),
                  subjects(demand.subjects()),
                  count(small),
                  per,
                  NumberText.count(demand.quantile(1))));
    } else if (!demand.asksOnce() && !looksLikeRetries()) {
      notes.add(
          "By itself this log suggests %s per %s."
              .formatted(NumberText.count(demand.number()), NumberText.per(demand.periodUs())));
    }
  }

  private void costs(List<String> notes) {
    long dearest = demand.dearestUsualCost();
    double subjects = demand.subjects();
    double able = demand.above(dearest - 1);
    if (stats.hasCosts() && dearest > 1 && RARE * dearest > demand.quantile(0.5)) {
      notes.add(
          "%s of the requests cost %s or more%s: a limit below that would never admit them."
              .formatted(
                  NumberText.percent(
                      Math.round(demand.partThatCosts(dearest) * demand.requests()),
                      demand.requests()),
                  NumberText.count(dearest),
                  2 * able > subjects
                      ? ""
                      : ", all by %s of %s".formatted(whole(able), subjects(subjects))));
    }
  }

  private void burst(List<String> notes) {
    long burst = demand.burst();
    if (derived && whyNoNumber().isEmpty() && demand.smallNumber() == null) {
      notes.add(
          burst <= 1
              ? "The requests come evenly: a bucket that holds 1, burst=1, would deny as little, and less could pass."
              : "Bursts of %s must pass: a token bucket has to hold that many. Without burst= it holds as many as refill in a %s."
                  .formatted(NumberText.count(burst), NumberText.per(demand.periodUs())));
    }
  }

  private void growth(List<String> notes) {
    if (demand.requests() < FEW_REQUESTS) {
      return;
    }
    if (isRising()) {
      notes.add(
          "The traffic is rising, and at its peak when the log ends: in its last sixth there are %s times as many requests a minute as in its first half. %s"
              .formatted(
                  NumberText.tenths(demand.rise()).replace(".0", ""),
                  isRisingForEach()
                      ? "The number is that of the last minutes, and will soon be too small if this goes on."
                      : "It rises by more subjects, not by more requests of each, so the number stays as it is."));
      return;
    }
    TimeSeries series = demand.series();
    long[] counts = series.counts(Kind.ASKED);
    int factor = (int) Math.max(1, demand.periodUs() / series.widthUs());
    long[] slots =
        IntStream.range(0, counts.length / factor)
            .mapToLong(i -> Arrays.stream(counts, i * factor, (i + 1) * factor).sum())
            .toArray();
    if (slots.length < PARTS) {
      return;
    }
    long[] sorted = Arrays.stream(slots).sorted().toArray();
    long median = sorted[sorted.length / 2];
    long most = sorted[sorted.length - 1];
    if (median > 0
        && most >= SPIKE * median
        && Arrays.stream(slots).filter(each -> 2 * each > most).count() * RARE <= slots.length) {
      int at = IntStream.range(0, slots.length).filter(i -> slots[i] == most).findFirst().orElse(0);
      long whenUs = series.beginUs() + at * factor * series.widthUs();
      long usual = demand.windowQuantile(NEARLY_ALL);
      notes.add(
          "At %s there is a peak of %s times the usual traffic. In 95 %% of the %ss a subject asks for at most %s%s."
              .formatted(
                  played.zone() == null ? "" : LogText.time(whenUs, played.zone()),
                  NumberText.count(Math.round((double) most / median)),
                  NumberText.per(demand.periodUs()),
                  count(usual),
                  demand.number() >= 2 * usual
                      ? ": the number is made for the peak"
                      : ": the peak is one of more subjects, which a limit by subject does not stop"));
    }
  }

  private void again(List<String> notes) {
    LimitResult least =
        Collections.min(
            played.results(), Comparator.comparing((LimitResult each) -> each.stats().unserved()));
    ReplayStats of = least.stats();
    long loud = demand.loudest().stream().mapToLong(LoudSubject::requests).sum();
    if (!derived && of.denied() > 0 && 2 * of.again() >= of.denied() && 2 * loud < of.denied()) {
      notes.add(
          "%s of the requests that %s denied came again within a second: if these are retries, about %s of all requests are wanted."
              .formatted(
                  NumberText.percent(of.again(), of.denied()),
                  least.candidate().name(),
                  NumberText.percent(of.asked() - of.again(), of.asked())));
    }
  }

  private String count(long units) {
    return NumberText.count(units, unit);
  }

  private String whole(double subjects) {
    return played.whole(Math.round(subjects));
  }

  private String subjects(double number) {
    return whole(number) + " subject" + (Math.round(number) == 1 ? "" : "s");
  }

  /** Their busiest spans in a line. */
  public String quantiles() {
    return "Subjects by their busiest %s: half ask for at most %s, 90 %% for %s, 99 %% for %s, the busiest for %s."
        .formatted(
            NumberText.per(demand.periodUs()),
            count(demand.quantileOfAll(0.5)),
            NumberText.count(demand.quantileOfAll(0.9)),
            NumberText.count(demand.quantileOfAll(0.99)),
            NumberText.count(demand.quantileOfAll(1)));
  }
}
