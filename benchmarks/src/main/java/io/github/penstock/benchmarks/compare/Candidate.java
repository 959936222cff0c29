package io.github.penstock.benchmarks.compare;

import io.github.penstock.core.Limit;
import java.util.List;

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

  /**
   * What a tier allows in the long run.
   *
   * @param units so many
   * @param periodUs in every so many microseconds, the limit's length
   * @param burst what a bucket holds; for a window as many as {@code units}
   */
  public record Allowance(long units, long periodUs, long burst) {}
}
