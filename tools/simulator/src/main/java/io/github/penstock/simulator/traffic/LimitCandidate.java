package io.github.penstock.simulator.traffic;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.report.text.NumberText;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A limit to be compared.
 *
 * @param name as it was given, such as {@code token-bucket:100/1m,burst=20}
 * @param limit the limit
 */
public record LimitCandidate(String name, Limit limit) {
  /** The order of preference among equivalent limits: a token bucket first, a leaky one last. */
  public static final Comparator<LimitCandidate> PREFERENCE =
      Comparator.comparing((LimitCandidate each) -> each.limit.kind().queues())
          .thenComparing(each -> each.limit.kind() != LimitKind.TOKEN_BUCKET)
          .thenComparing(each -> each.limit.kind());

  /** The candidate that a text such as {@code fixed-window:10/1s+100/1m} describes. */
  public static LimitCandidate of(String text) {
    return new LimitCandidate(text, Limits.parse(text));
  }

  /** A period in the syntax of limits, such as {@code 1m}. */
  public static long periodMicros(String text) {
    return of("fixed-window:1/" + text).limit.tiers().get(0).periodMicros();
  }

  /** All algorithms with the same numbers, such as {@code 100/1m}. */
  public static List<LimitCandidate> ofEachAlgorithm(String numbers) {
    return Stream.of(LimitKind.values())
        .map(kind -> of(kind.script().scriptName() + ":" + numbers))
        .toList();
  }

  /**
   * The most units of one subject that a tier can let pass in any span of its length.
   *
   * @param alike whether every call costs 1: a leaky bucket sends on one that costs more at once
   */
  public long atMost(LimitTier tier, boolean alike) {
    boolean evenly = alike && limit.kind().queues();
    return evenly ? tier.units() : tier.capacity() + tier.units();
  }

  /**
   * The most units of one subject that can pass in any span, for any periods of the tiers.
   *
   * @param alike whether every call costs 1
   */
  public long atMostIn(long spanUs, boolean alike) {
    return limit.tiers().stream().mapToLong(tier -> atMostIn(tier, spanUs, alike)).min().orElse(0);
  }

  private long atMostIn(LimitTier tier, long spanUs, boolean alike) {
    double periods = (double) spanUs / tier.periodMicros();
    boolean evenly = limit.kind().refill() == RefillForm.EVENLY;
    double gained = tier.units() * (evenly ? periods : Math.ceil(periods));
    return (long) ((alike && limit.kind().queues() ? 0 : tier.capacity()) + gained);
  }

  /**
   * The most units if processes lease them (rules L2 and L3): a token bucket may additionally pass
   * its gain during the life of a lease.
   *
   * @param atMostUs how long units are held at most
   */
  public long atMostLeasing(LimitTier tier, long atMostUs) {
    BigInteger gained =
        BigInteger.valueOf(tier.units())
            .multiply(BigInteger.valueOf(atMostUs))
            .divide(BigInteger.valueOf(tier.periodMicros()));
    long later = gained.min(BigInteger.valueOf(Long.MAX_VALUE / 2)).longValue();
    return atMost(tier, true)
        + (limit.kind().leasable() && limit.kind().refill() == RefillForm.EVENLY ? later : 0);
  }

  /** The limit without its first tier, without its second and so on; none of one tier. */
  public List<Limit> withoutEachTier() {
    List<String> tiers = tiers();
    return tiers.size() == 1
        ? List.of()
        : IntStream.range(0, tiers.size())
            .mapToObj(
                without ->
                    IntStream.range(0, tiers.size())
                        .filter(tier -> tier != without)
                        .mapToObj(tiers::get)
                        .collect(Collectors.joining("+", algorithm() + ":", "")))
            .map(Limits::parse)
            .toList();
  }

  public List<String> tiers() {
    return List.of(numbers().split("\\+"));
  }

  public String algorithm() {
    return limit.algorithm();
  }

  /** The part of its name after the algorithm, such as {@code 100/1m,burst=20}. */
  public String numbers() {
    return name.substring(algorithm().length() + 1);
  }

  /** Its rates in the long run: {@code 100 per 10 s and 1,000 per hour}. */
  public String rate() {
    return limit.tiers().stream()
        .map(tier -> NumberText.count(tier.units()) + " per " + NumberText.per(tier.periodMicros()))
        .collect(Collectors.joining(" and "));
  }

  /** Its behaviour in a sentence: {@code Holds 20, gains 100 a minute.} */
  public String meaning() {
    String tiers =
        limit.tiers().stream().map(this::meaning).collect(Collectors.joining("; and it "));
    return tiers.substring(0, 1).toUpperCase(Locale.ROOT) + tiers.substring(1) + ".";
  }

  private String meaning(LimitTier tier) {
    String units = NumberText.count(tier.units());
    String every = NumberText.per(tier.periodMicros());
    return switch (limit.kind().refill()) {
      case AT_END ->
          "admits %s in each window of %s"
              .formatted(units, NumberText.exactTime(tier.periodMicros()));
      case FADING ->
          "admits %s in a window of %s that slides along"
              .formatted(units, NumberText.exactTime(tier.periodMicros()));
      case IN_BATCHES ->
          "holds %s, gains %s at once every %s"
              .formatted(NumberText.count(tier.capacity()), units, every);
      case EVENLY ->
          (limit.kind().queues()
                  ? "queues up to %s, sends on %s per %s at an even pace"
                  : "holds %s, gains %s per %s")
              .formatted(NumberText.count(tier.capacity()), units, every);
    };
  }
}
