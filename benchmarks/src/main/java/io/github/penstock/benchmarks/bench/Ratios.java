package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was measured, to what is the least: through the same client with as many threads. */
final class Ratios {
  private final Results results;

  Ratios(Results results) {
    this.results = results;
  }

  /**
   * Decisions a second to another's, the median over the rounds in which both had their turn: a
   * round is short, so what slows the machine slows both.
   */
  static double of(Measured measured, Measured other) {
    List<Double> ratios = byRound(measured, other);
    return ratios.isEmpty() ? measured.perSecond() / other.perSecond() : median(ratios);
  }

  /** The ratios to the same server commands between which half of the rounds lie. */
  Optional<Half> half(Measured measured) {
    return alike(Floor.of(Workload.valueOf(measured.workload())), measured)
        .map(least -> byRound(measured, least).stream().sorted().toList())
        .filter(ratios -> ratios.size() > 3)
        .map(
            ratios ->
                new Half(
                    ratios.get(ratios.size() / 4),
                    ratios.get(ratios.size() - 1 - ratios.size() / 4)));
  }

  /** Half of the rounds lie between these. */
  record Half(double from, double to) {
    /** How far they are apart, to the smaller. */
    double width() {
      return to / from - 1;
    }
  }

  private static List<Double> byRound(Measured measured, Measured other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(measured.turns().size(), other.turns().size()); i++) {
      ratios.add(measured.turns().get(i) / other.turns().get(i));
    }
    return ratios;
  }

  /** The middle one, or between the two in the middle; not a number if there are none. */
  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Decisions a second to those of a floor, sent alike; empty if one of the two is missing. */
  Optional<Double> to(Floor floor, Measured measured) {
    return alike(floor, measured).map(least -> of(measured, least));
  }

  /** To the same server commands, sent raw as the decisions are: alone, together or in flight. */
  Optional<Double> toSameCommands(Measured measured) {
    return to(Floor.of(Workload.valueOf(measured.workload())), measured);
  }

  /** To the token bucket's own script, sent raw as the decisions are: what is the adapter's. */
  Optional<Double> toOwnScript(Measured measured) {
    return to(Floor.TOKEN_BUCKET, measured);
  }

  /** Bytes allocated beyond those of the same server commands; empty if one is missing. */
  Optional<Double> bytesBeyond(Measured measured) {
    return floor(Floor.of(Workload.valueOf(measured.workload())), measured)
        .map(least -> measured.bytesPerCall() - least.bytesPerCall());
  }

  /** A ratio for a table's cell. */
  static String cell(Optional<Double> ratio) {
    return ratio.map(Say::hundredths).orElse("");
  }

  /* Sent as the decisions are. */
  private Optional<Measured> alike(Floor floor, Measured measured) {
    Question question = measured.question();
    return same(question.atOnce() ? question : Question.FLOOR, floor, measured);
  }

  private Optional<Measured> floor(Floor floor, Measured measured) {
    return same(Question.FLOOR, floor, measured);
  }

  private Optional<Measured> same(Question question, Floor floor, Measured measured) {
    return results.clients().stream()
        .filter(f -> f.present() && measured.present())
        .filter(f -> f.question() == question && f.what().equals(floor.title()))
        .filter(f -> f.client().equals(measured.client()) && f.threads() == measured.threads())
        .findFirst();
  }
}
