package io.github.penstock.simulator.advice;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.record.AddressText;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The subjects of a log by their busiest span of a period, and the number that troubles at most 1 %
 * of them. A subject is loud if it asks for at least three times as much as the next one, and at
 * most one, or 1 %, do. The number is the most that the others ask for, unless 99 % of them keep to
 * five sixths of that. Immutable once made.
 */
public final class DemandProfile {
  /** The share of the subjects that a number may trouble. */
  public static final double SHARE = 0.01;

  private static final double GAP = 3;
  private static final double GROUP_GAP = 2.5;
  private static final double FAR = 1.2;
  private static final long LOUD = 10;
  private static final long SMALL = 5;
  private static final int FEW_SUBJECTS = 10;
  private static final int RARE = 1_000;
  private static final int ROUGH = 10;
  private static final double FEWEST = 0.8;
  private final String period;
  private final TrafficDemand demand;
  private final List<SubjectDemand> sorted;
  private final double[] weightBelow;
  private final int loud;
  private final int group;
  private final long usualCost;
  private final long number;
  private final long burst;
  private final boolean comesAtOnce;

  /**
   * A loud subject.
   *
   * @param requests all that it makes
   * @param units their cost
   * @param busiest the most units in any span of the period
   */
  public record LoudSubject(String subject, long requests, long units, long busiest) {}

  private DemandProfile(SortedLog log, String period, long periodUs) {
    this.period = period;
    demand = new TrafficDemand(log, periodUs);
    sorted = demand.sorted();
    weightBelow = new double[sorted.size() + 1];
    for (int i = 0; i < sorted.size(); i++) {
      weightBelow[i + 1] = weightBelow[i] + demand.weight(sorted.get(i));
    }
    usualCost = usualCost();
    loud = loud();
    long most = quantile(1);
    long nearlyAll = quantile(1 - SHARE);
    group = group();
    long wanted = group > 0 || most <= FAR * nearlyAll ? most : nearlyAll;
    long least = loud < sorted.size() ? Math.min(SMALL, sorted.get(loud).busiest / 2) : 1;
    number = rounded(Math.max(Math.max(wanted, least), usualCost));
    long atOnce = sorted.stream().limit(loud).mapToLong(each -> each.busiestSecond).max().orElse(1);
    long filled = demand.burst(log, (double) number / periodUs, number);
    burst = Math.min(number, rounded(Math.max(usualCost, Math.max(atOnce, filled))));
    comesAtOnce = atOnce >= filled;
  }

  /**
   * Reads all of a log once, and once more.
   *
   * @param period of a limit, such as {@code 1m}
   */
  public static DemandProfile of(SortedLog log, String period) {
    return new DemandProfile(log, period, LimitCandidate.periodMicros(period));
  }

  /* The least cost of the most expensive thousandth of the requests. */
  private long usualCost() {
    long dearer = 0;
    long dearest = 1;
    List<Map.Entry<Long, Long>> costs = new ArrayList<>(demand.costs.entrySet());
    for (int i = costs.size() - 1; i >= 0 && dearer < Math.max(1, demand.requests / RARE); i--) {
      dearer += costs.get(i).getValue();
      dearest = costs.get(i).getKey();
    }
    return dearest;
  }

  private double mayBeLoud() {
    return Math.max(subjects() >= FEW_SUBJECTS ? 1 : 0, Math.floor(subjects() * SHARE));
  }

  private int loud() {
    int first = sorted.size();
    for (int i = sorted.size() - 1; i > 0 && subjects() - weightBelow[i] <= mayBeLoud(); i--) {
      long busiest = sorted.get(i).busiest;
      first = busiest >= LOUD && busiest >= GAP * sorted.get(i - 1).busiest ? i : first;
    }
    return first;
  }

  /* Where the greatest gap is that divides the others into two groups, the greater one below. */
  private int group() {
    int first = 0;
    double widest = GROUP_GAP;
    for (int i = 1; i < loud; i++) {
      long below = sorted.get(i - 1).busiest;
      double gap = (double) sorted.get(i).busiest / below;
      boolean groups =
          weightBelow[i] >= weightBelow[loud] / 2
              && weightBelow[loud] - weightBelow[i] > mayBeLoud()
              && sorted.get(i).busiest >= LOUD
              && below >= usualCost;
      if (groups && gap >= widest) {
        widest = gap;
        first = i;
      }
    }
    return first;
  }

  /* Two digits, rounded up; as it is below 100. */
  private static long rounded(long units) {
    return Math.min(TrafficDemand.roundedUp(units, 100), Limit.MAX_UNITS);
  }

  /** Units that this part of the subjects that are not loud does not exceed in any period. */
  public long quantile(double part) {
    return quantile(part, loud);
  }

  /** The value for all subjects. */
  public long quantileOfAll(double part) {
    return quantile(part, sorted.size());
  }

  private long quantile(double part, int of) {
    int i = 0;
    while (i < of - 1 && weightBelow[i + 1] < part * weightBelow[of] - 1e-9) {
      i++;
    }
    return sorted.get(i).busiest;
  }

  public double subjects() {
    return weightBelow[sorted.size()];
  }

  /** About how many subjects ask for more in some span of the period. */
  public double above(long units) {
    int i = sorted.size();
    while (i > 0 && sorted.get(i - 1).busiest > units) {
      i--;
    }
    return subjects() - weightBelow[i];
  }

  /**
   * The part of the units that a fixed window of this number denies; without expensive requests.
   */
  public double denied(long units) {
    double denied = 0;
    double all = 0;
    for (Map.Entry<Long, Double> each : demand.windows.entrySet()) {
      denied += each.getValue() * Math.max(0, each.getKey() - units);
      all += each.getValue() * each.getKey();
    }
    return all == 0 ? 0 : denied / all;
  }

  /** Units that this part of the windows of the clock of all subjects does not exceed. */
  public long windowQuantile(double part) {
    double all = demand.windows.values().stream().mapToDouble(each -> each).sum();
    double below = 0;
    for (Map.Entry<Long, Double> each : demand.windows.entrySet()) {
      below += each.getValue();
      if (below >= part * all) {
        return each.getKey();
      }
    }
    return 0;
  }

  public long units() {
    return demand.units;
  }

  public String period() {
    return period;
  }

  public long periodUs() {
    return demand.periodUs;
  }

  public long number() {
    return number;
  }

  /** The capacity of a bucket with that rate that denies no subject up to the number. */
  public long burst() {
    return burst;
  }

  /** The least cost of the most expensive thousandth of the requests; 1 if all cost 1. */
  public long dearestUsualCost() {
    return usualCost;
  }

  /** The part of the requests with this cost or more. */
  public double partThatCosts(long units) {
    return (double)
            demand.costs.entrySet().stream()
                .filter(each -> each.getKey() >= units)
                .mapToLong(Map.Entry::getValue)
                .sum()
        / demand.requests;
  }

  /** Units that the busiest subject asks for in its fullest second. */
  public long fullestSecond() {
    return sorted.stream().mapToLong(each -> each.busiestSecond).max().orElse(0);
  }

  public List<LoudSubject> loudest() {
    List<LoudSubject> all = new ArrayList<>();
    for (int i = sorted.size() - 1; i >= loud; i--) {
      SubjectDemand each = sorted.get(i);
      all.add(new LoudSubject(each.subject, each.requests, each.units, each.busiest));
    }
    return all;
  }

  /** The number of the smaller of two groups; null if there is one group. */
  public @Nullable Long smallNumber() {
    return group == 0 ? null : rounded(sorted.get(group - 1).busiest);
  }

  /** About how many subjects keep to the small number. */
  public double inSmallGroup() {
    return weightBelow[group];
  }

  /** Returns whether nearly all subjects never ask twice in a period, and none is loud. */
  public boolean asksOnce() {
    return quantile(1 - SHARE) <= 1 && loud == sorted.size();
  }

  /** About how many subjects ask again and again after about a second. */
  public double metronomes() {
    return sorted.stream().filter(SubjectDemand::isMetronome).mapToDouble(demand::weight).sum();
  }

  /** About how many requests come within a second of the one before of the same subject. */
  public long soon() {
    return Math.round(sorted.stream().mapToDouble(each -> each.soon * demand.weight(each)).sum());
  }

  public long requests() {
    return demand.requests;
  }

  /** The demand of subjects up to the number over time, in units. */
  public TimeSeries series() {
    return demand.series;
  }

  /**
   * The ratio of units in the last sixth of the log, by time, to those of its first half, for
   * subjects up to the number; 0 unless it is the fullest, and the sixth before it is not a pause,
   * such as a night.
   */
  public double rise() {
    double[] asked = demand.asked;
    double first = Arrays.stream(asked, 0, asked.length / 2).average().orElse(0);
    boolean fullest = asked[asked.length - 1] >= Arrays.stream(asked).max().orElse(0);
    return fullest && asked[asked.length - 2] >= FEWEST * first ? rise(i -> asked[i]) : 0;
  }

  /** The value for the demand of each active subject. */
  public double riseOfEach() {
    return rise(i -> demand.asked[i] / Math.max(1, demand.asking[i]));
  }

  private double rise(IntToDoubleFunction part) {
    int parts = demand.asked.length;
    double first = IntStream.range(0, parts / 2).mapToDouble(part).average().orElse(0);
    return part.applyAsDouble(parts - 1) / Math.max(first, 1e-9);
  }

  /** Returns how many IPv6 addresses have a network of 64 bits in common on average; 0 if none. */
  public double perNetwork() {
    List<String> v6 = sorted.stream().map(each -> each.subject).filter(AddressText::isV6).toList();
    return v6.size() < FEW_SUBJECTS
        ? 0
        : (double) v6.size() / v6.stream().map(AddressText::network).distinct().count();
  }

  public long spanUs() {
    return demand.lastUs - demand.firstUs;
  }

  /** The limits that are worth playing, the best first where they do the same. */
  public List<LimitCandidate> limits() {
    List<LimitCandidate> limits = new ArrayList<>();
    LimitCandidate.ofEachAlgorithm(number + "/" + period).stream()
        .filter(each -> !each.limit().kind().queues())
        .sorted(LimitCandidate.PREFERENCE)
        .forEach(limits::add);
    if (2 * burst <= number) {
      String bucket = limits.get(0).name() + ",burst=" + burst;
      boolean first = comesAtOnce && ROUGH * burst < number && burst >= LOUD;
      limits.add(first ? 0 : 1, LimitCandidate.of(bucket));
    }
    Long small = smallNumber();
    if (small != null) {
      limits.add(LimitCandidate.of("token-bucket:" + small + "/" + period));
    }
    return limits;
  }
}
