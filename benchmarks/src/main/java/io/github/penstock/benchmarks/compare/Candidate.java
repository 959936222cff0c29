package io.github.penstock.benchmarks.compare;

import io.github.penstock.core.Limit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A limit to be compared.
 *
 * @param name as it was given, such as {@code token-bucket:100/1m,burst=20}
 * @param limit the limit
 * @param allowances what each of its tiers allows, in order
 */
public record Candidate(String name, Limit limit, List<Allowance> allowances) {
  public Candidate {
    allowances = List.copyOf(allowances);
  }

  /** The candidate that a text such as {@code fixed-window:10/1s+100/1m} describes. */
  public static Candidate of(String text) {
    return new LimitText(text).candidate();
  }

  /** The algorithm's name. */
  public String algorithm() {
    return limit.script().scriptName();
  }

  /** What follows the algorithm in its name, such as {@code 100/1m,burst=20}. */
  public String numbers() {
    return name.substring(algorithm().length() + 1);
  }

  /** What it does, in a sentence: {@code Holds 20, gains 100 a minute.} */
  String meaning() {
    String tiers = allowances.stream().map(this::meaning).collect(Collectors.joining("; and it "));
    return tiers.substring(0, 1).toUpperCase(Locale.ROOT) + tiers.substring(1) + ".";
  }

  private String meaning(Allowance tier) {
    String units = Say.count(tier.units());
    String every = Span.each(tier.periodUs());
    return switch (algorithm()) {
      case "fixed-window" ->
          "admits %s in each window of %s".formatted(units, Span.exact(tier.periodUs()));
      case "token-bucket" ->
          "holds %s, gains %s per %s".formatted(Say.count(tier.burst()), units, every);
      default ->
          "queues up to %s, sends on %s per %s at an even pace"
              .formatted(Say.count(tier.burst()), units, every);
    };
  }

  /**
   * What a tier allows in the long run.
   *
   * @param units so many
   * @param periodUs in every so many microseconds, the limit's length
   * @param burst what a bucket holds; for a window as many as {@code units}
   */
  public record Allowance(long units, long periodUs, long burst) {}
}
