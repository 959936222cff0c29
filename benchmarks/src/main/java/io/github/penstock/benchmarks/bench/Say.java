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
  private static final String OURS = "Penstock";

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

  /** What is compared: the verb of the one of whom there is more, and what there is more of. */
  enum Measure {
    /** More is better. */
    DECISIONS("makes", "as many decisions as", true),
    /** Less is better. */
    TIME("takes", "as long as", false),
    /** Less is better. */
    MEMORY("takes", "as much memory as", false);

    private final String verb;
    private final String than;
    private final boolean moreIsBetter;

    Measure(String verb, String than, boolean moreIsBetter) {
      this.verb = verb;
      this.than = than;
      this.moreIsBetter = moreIsBetter;
    }

    private String sentence(String more, String less, List<String> times) {
      return more + " " + verb + " " + list(times) + " " + than + " " + less;
    }
  }

  /**
   * A comparison with another one in one place.
   *
   * @param place where, such as {@code Jedis}; may be empty
   * @param ours our figure
   * @param theirs theirs
   */
  record Pair(String place, double ours, double theirs) {
    private String times(double ratio) {
      return hundredths(ratio) + " times" + (place.isEmpty() ? "" : " (" + place + ")");
    }
  }

  /**
   * Findings that say where Penstock is ahead of another one, where it is behind, and where
   * neither; each with its ratios.
   *
   * @param subject what is compared, as the beginning of a sentence
   */
  static List<Finding> compare(String subject, Measure measure, String other, List<Pair> pairs) {
    List<String> more = new ArrayList<>();
    List<String> less = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (Pair pair : pairs) {
      double ratio = pair.ours / pair.theirs;
      if (ratio >= 1 + SAME) {
        more.add(pair.times(ratio));
      } else if (ratio <= 1 / (1 + SAME)) {
        less.add(pair.times(1 / ratio));
      } else {
        same.add(pair.place);
      }
    }
    Verdict ifMore = measure.moreIsBetter ? Verdict.AHEAD : Verdict.BEHIND;
    Verdict ifLess = measure.moreIsBetter ? Verdict.BEHIND : Verdict.AHEAD;
    List<Finding> findings = new ArrayList<>();
    add(findings, ifMore, more, subject + ": " + measure.sentence(OURS, other, more));
    add(findings, ifLess, less, subject + ": " + measure.sentence(other, OURS, less));
    String where = list(same).isEmpty() ? "" : " (" + list(same) + ")";
    add(
        findings,
        Verdict.NOTE,
        same,
        subject + ": Penstock and " + other + " are within 5 % of each other" + where);
    return findings;
  }

  private static void add(
      List<Finding> findings, Verdict verdict, List<String> places, String sentence) {
    if (!places.isEmpty()) {
      findings.add(new Finding(verdict, sentence + "."));
    }
  }
}
