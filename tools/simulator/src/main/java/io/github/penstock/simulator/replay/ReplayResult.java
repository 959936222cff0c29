package io.github.penstock.simulator.replay;

import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectSample;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Traffic that was played, and the result of each limit.
 *
 * @param title the reader's name for the traffic
 * @param description its composition
 * @param zone in which times are shown; null for built-in traffic
 * @param sample the subjects whose requests were played
 * @param results one for each limit
 */
public record ReplayResult(
    String title,
    String description,
    @Nullable ZoneId zone,
    SubjectSample sample,
    List<LimitResult> results) {
  public ReplayResult {
    results = List.copyOf(results);
  }

  /** This traffic with only some of the results. */
  public ReplayResult of(List<LimitResult> some) {
    return new ReplayResult(title, description, zone, sample, some);
  }

  /** The word for several units: requests, unless some requests cost more than 1. */
  public String units() {
    return results.get(0).stats().unit() + "s";
  }

  /** A count of the whole traffic, marked by {@code ~} if a sample tells it. */
  public String whole(long count) {
    return (sample.isWhole() ? "" : "~") + NumberText.count(count);
  }

  public long asked(ReplayStats stats) {
    return sample.isWhole() ? stats.asked() : sample.requests();
  }

  public long denied(ReplayStats stats) {
    long more = asked(stats) - stats.asked();
    return more == 0 ? stats.denied() : Math.round(stats.shares().denied(stats.denied(), more));
  }

  /** The part that these are; with two standard errors if a sample tells it. */
  public String deniedPart(ReplayStats stats) {
    String part = NumberText.percent(denied(stats), asked(stats));
    double error = 200 * stats.shares().deniedError(sample.share().oneIn()) / asked(stats);
    return sample.isWhole() ? part : "%s (+/- %s %%)".formatted(part, NumberText.tenths(error));
  }

  /** The name of a limit here: its algorithm, if nothing else tells the limits apart. */
  public String label(LimitResult result) {
    boolean alike =
        results.stream().map(each -> each.candidate().numbers()).distinct().count() == 1;
    return alike && results.size() > 1 ? result.candidate().algorithm() : result.candidate().name();
  }

  /**
   * The outcome of one limit.
   *
   * @param candidate the limit
   * @param stats its result
   * @param leasing its result in processes with leases; null without them
   */
  public record LimitResult(
      LimitCandidate candidate, ReplayStats stats, @Nullable LeaseStats leasing) {
    /** The most units that could have passed where this many did. */
    public long atMost(PeakUsage peak) {
      return candidate.atMost(peak.tier(), !stats.hasCosts());
    }

    /** The value for processes with leases. */
    public long atMostLeasing(LeaseStats of, PeakUsage peak) {
      return of.leases()
          ? candidate.atMostLeasing(peak.tier(), of.settings().atMostUs())
          : atMost(peak);
    }
  }
}
