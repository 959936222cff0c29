package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and comparisons in words. */
final class Say {
  /* What lies nearer is called the same: that near, runs differ by themselves. */
  private static final double SAME = 0.05;

  private Say() {}

  /** A whole number, with thousands apart. */
  static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** A number with one digit after the point. */
  static String tenths(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  /** A number with two digits after the point. */
  static String hundredths(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }

  /** A count, or nothing where it was not measured. */
  static String countIfKnown(double value) {
    return value < 0 ? "" : count(value);
  }

  /** Words joined by commas and a last {@code and}. */
  static String list(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  /**
   * A comparison with another one in several places.
   *
   * @param place where, such as {@code on Jedis}
   * @param ratio ours to theirs, where more is better for us
   */
  record Comparison(String place, double ratio) {}

  /**
   * Findings that say where Penstock is ahead, where it is behind, and where neither; each with its
   * ratios.
   *
   * @param subject what is compared, as the beginning of a sentence
   * @param other whom with
   * @param better what it means to be ahead, such as {@code as many decisions as}
   */
  static List<Finding> compare(
      String subject, String other, String better, List<Comparison> comparisons) {
    List<Finding> findings = new ArrayList<>();
    List<String> ahead = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      if (comparison.ratio >= 1 + SAME) {
        ahead.add(hundredths(comparison.ratio) + " times " + comparison.place);
      } else if (comparison.ratio <= 1 - SAME) {
        behind.add(hundredths(1 / comparison.ratio) + " times " + comparison.place);
      } else {
        same.add(comparison.place);
      }
    }
    add(
        findings,
        Verdict.AHEAD,
        ahead,
        subject + ": Penstock is ahead of " + other + ", " + better);
    add(
        findings,
        Verdict.BEHIND,
        behind,
        subject + ": " + other + " is ahead of Penstock, " + better);
    add(
        findings,
        Verdict.NOTE,
        same,
        subject + ": Penstock and " + other + " are within 5 % of each other");
    return findings;
  }

  private static void add(
      List<Finding> findings, Verdict verdict, List<String> places, String sentence) {
    if (!places.isEmpty()) {
      findings.add(new Finding(verdict, sentence + " " + list(places) + "."));
    }
  }
}
