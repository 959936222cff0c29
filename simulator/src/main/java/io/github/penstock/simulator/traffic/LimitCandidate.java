package io.github.penstock.simulator.traffic;

import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.report.text.NumberText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A limit to be compared.
 *
 * @param name as it was given, such as {@code token-bucket:100/1m,burst=20}
 * @param limit the limit
 * @param allowances what each of its tiers allows, in order
 */
public record LimitCandidate(String name, Limit limit, List<Allowance> allowances) {
  public LimitCandidate {
    allowances = List.copyOf(allowances);
  }

  /** The candidate that a text such as {@code fixed-window:10/1s+100/1m} describes. */
  public static LimitCandidate of(String text) {
    return new LimitText(text).candidate();
  }

  /** The five algorithms with the same numbers, such as {@code 100/1m}. */
  public static List<LimitCandidate> ofEachAlgorithm(String numbers) {
    return Stream.of(
            "fixed-window", "sliding-window", "token-bucket", "leaky-bucket", "interval-bucket")
        .map(algorithm -> of(algorithm + ":" + numbers))
        .toList();
  }

  /** Whether it is a window, which has no burst. */
  public boolean isWindow() {
    return limit instanceof FixedWindow || limit instanceof SlidingWindow;
  }

  public String algorithm() {
    return LimitEncoding.of(limit).script().scriptName();
  }

  /** The part of its name after the algorithm, such as {@code 100/1m,burst=20}. */
  public String numbers() {
    return name.substring(algorithm().length() + 1);
  }

  /** Its rates in the long run: {@code 100 per 10 s and 1,000 per hour}. */
  public String rate() {
    return allowances.stream()
        .map(tier -> NumberText.count(tier.units()) + " per " + NumberText.per(tier.periodUs()))
        .collect(Collectors.joining(" and "));
  }

  /** Its behaviour in a sentence: {@code Holds 20, gains 100 a minute.} */
  public String meaning() {
    String tiers = allowances.stream().map(this::meaning).collect(Collectors.joining("; and it "));
    return tiers.substring(0, 1).toUpperCase(Locale.ROOT) + tiers.substring(1) + ".";
  }

  private String meaning(Allowance tier) {
    String units = NumberText.count(tier.units());
    String every = NumberText.per(tier.periodUs());
    return switch (algorithm()) {
      case "fixed-window" ->
          "admits %s in each window of %s".formatted(units, NumberText.exactTime(tier.periodUs()));
      case "sliding-window" ->
          "admits %s in a window of %s that slides along"
              .formatted(units, NumberText.exactTime(tier.periodUs()));
      case "interval-bucket" ->
          "holds %s, gains %s at once every %s"
              .formatted(NumberText.count(tier.burst()), units, every);
      case "token-bucket" ->
          "holds %s, gains %s per %s".formatted(NumberText.count(tier.burst()), units, every);
      default ->
          "queues up to %s, sends on %s per %s at an even pace"
              .formatted(NumberText.count(tier.burst()), units, every);
    };
  }

  /**
   * The rate of a tier in the long run.
   *
   * @param units so many
   * @param periodUs in every so many microseconds, the limit's length
   * @param burst what a bucket holds; for a window as many as {@code units}
   */
  public record Allowance(long units, long periodUs, long burst) {}
}
