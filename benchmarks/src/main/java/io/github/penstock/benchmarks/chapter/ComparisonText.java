package io.github.penstock.benchmarks.chapter;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * Findings that hold figures against a goal or against other limiters. What lies within the run's
 * own spread decides nothing.
 */
final class ComparisonText {
  private static final String OURS = "Penstock";

  private ComparisonText() {}

  /** Words joined by commas and a last {@code and}. */
  static String list(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  /** A figure that is compared, with the words for more of it. */
  enum Measure {
    /** More is better. */
    DECISIONS("makes", "as many decisions as", FindingVerdict.AHEAD, FindingVerdict.BEHIND),
    /** Less is better. */
    TIME("takes", "as long as", FindingVerdict.BEHIND, FindingVerdict.AHEAD);

    private final String verb;
    private final String than;
    private final FindingVerdict ifMore;
    private final FindingVerdict ifLess;

    Measure(String verb, String than, FindingVerdict ifMore, FindingVerdict ifLess) {
      this.verb = verb;
      this.than = than;
      this.ifMore = ifMore;
      this.ifLess = ifLess;
    }
  }

  /**
   * A comparison with another limiter in one place.
   *
   * @param other the other's name
   * @param place where, such as {@code Jedis}; may be empty
   * @param ratio our figure to theirs
   */
  record Pair(String other, String place, RoundRatio ratio) {
    private String text(double spread) {
      double times = ratio.value() < 1 ? 1 / ratio.value() : ratio.value();
      return ratio.isMore(spread) || ratio.isLess(spread)
          ? NumberText.hundredths(times) + " times" + where(place)
          : place;
    }
  }

  /**
   * Findings that say where Penstock is ahead of others, where it is behind, and where there is no
   * difference; each with its ratios.
   *
   * @param subject what is compared, as the beginning of a sentence
   * @param spread what one and the same ratio differs by in this run: less decides nothing
   */
  static List<ReportFinding> compare(
      String subject, Measure measure, List<Pair> pairs, double spread) {
    String than = " " + measure.than + " ";
    return Stream.of(
            finding(
                measure.ifMore,
                subject + ": " + OURS + " " + measure.verb + " ",
                pairs.stream().filter(pair -> pair.ratio.isMore(spread)),
                (other, times) -> times + than + other,
                spread),
            finding(
                measure.ifLess,
                subject + ": ",
                pairs.stream().filter(pair -> pair.ratio.isLess(spread)),
                (other, times) -> other + " " + measure.verb + " " + times + than + OURS,
                spread),
            finding(
                FindingVerdict.NOTE,
                subject + ": no difference between " + OURS + " and ",
                pairs.stream()
                    .filter(pair -> !pair.ratio.isMore(spread) && !pair.ratio.isLess(spread)),
                (other, places) -> other + where(places),
                spread))
        .flatMap(Optional::stream)
        .toList();
  }

  /* The texts of the pairs with one other stand together. */
  private static Optional<ReportFinding> finding(
      FindingVerdict verdict,
      String beginning,
      Stream<Pair> pairs,
      BinaryOperator<String> part,
      double spread) {
    Map<String, List<String>> byOther =
        pairs.collect(
            groupingBy(
                Pair::other, LinkedHashMap::new, mapping(pair -> pair.text(spread), toList())));
    List<String> parts = new ArrayList<>();
    byOther.forEach((other, texts) -> parts.add(part.apply(other, list(texts))));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(new ReportFinding(verdict, beginning + list(parts) + "."));
  }

  private static String where(String place) {
    return place.isEmpty() ? "" : " (" + place + ")";
  }

  /**
   * Something that Penstock is meant to reach.
   *
   * @param subject what the figure is, as the beginning of a sentence
   * @param bound what it should be
   * @param atLeast whether that is the least, and not the most
   */
  record Goal(String subject, double bound, boolean atLeast) {
    /**
     * Whether it is met everywhere; empty without figures.
     *
     * @param figures by place, such as {@code Jedis}; the only place may be empty
     */
    Optional<ReportFinding> finding(Map<String, RoundRatio> figures) {
      if (figures.isEmpty()) {
        return Optional.empty();
      }
      List<String> each = new ArrayList<>();
      figures.forEach((place, figure) -> each.add(text(figure.value()) + where(place)));
      boolean met = figures.values().stream().allMatch(figure -> reached(figure.value()));
      boolean missed =
          figures.values().stream().anyMatch(f -> !reached(atLeast ? f.to() : f.from()));
      String goal = (atLeast ? "at least " : "at most ") + text(bound);
      return Optional.of(
          new ReportFinding(
              met ? FindingVerdict.MET : missed ? FindingVerdict.MISSED : FindingVerdict.NOTE,
              "%s: %s (goal: %s%s)."
                  .formatted(
                      subject,
                      list(each),
                      goal,
                      met || missed ? "" : "; the rounds differ by more than what is missing")));
    }

    private boolean reached(double figure) {
      return atLeast ? figure >= bound : figure <= bound;
    }

    /* Ratios lie around 1. */
    private String text(double figure) {
      return bound < 100 ? NumberText.hundredths(figure) : NumberText.count(figure);
    }
  }
}
