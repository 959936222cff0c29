package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.report.Bars;
import io.github.penstock.benchmarks.report.Chapter;
import io.github.penstock.benchmarks.report.DataTable;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Hue;
import io.github.penstock.benchmarks.report.Lines;
import io.github.penstock.benchmarks.report.Machine;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the cost of a decision grows. */
final class GrowthChapter {
  private static final String BUCKET = Case.title(Algorithm.TOKEN_BUCKET);
  private static final Map<Algorithm, Hue> HUES =
      Map.of(
          Algorithm.FIXED_WINDOW, Hue.ORANGE,
          Algorithm.TOKEN_BUCKET, Hue.BLUE,
          Algorithm.LEAKY_BUCKET, Hue.GREEN);
  private final Results results;

  GrowthChapter(Results results) {
    this.results = results;
  }

  Chapter chapter() {
    Chapter chapter =
        new Chapter(
            "How does the cost grow?",
            "With the tiers of a limit (\"10 a second and 100 a minute\" is two), with the number of keys, and with the"
                + " masters of a cluster.");
    tiers().ifPresent(chapter::add);
    keys().ifPresent(chapter::add);
    masters().ifPresent(chapter::add);
    pictures(chapter);
    return chapter.add(table());
  }

  private Optional<Finding> tiers() {
    Optional<ScriptCost> one = results.script(BUCKET, ScriptCost.SHIPPED, 1, true);
    Optional<ScriptCost> five = results.script(BUCKET, ScriptCost.SHIPPED, 5, true);
    return one.isPresent() && five.isPresent()
        ? Optional.of(
            Finding.note(
                "Each further tier of a token bucket adds %s µs on the server; five tiers in one call cost %s times one, five calls would cost five."
                    .formatted(
                        Say.tenths((five.get().micros() - one.get().micros()) / 4),
                        Say.hundredths(five.get().micros() / one.get().micros()))))
        : Optional.empty();
  }

  private Optional<Finding> keys() {
    List<GrowthPoint> points = points(GrowthPoint.KEYS, BUCKET);
    if (points.size() < 2) {
      return Optional.empty();
    }
    GrowthPoint few = points.get(0);
    GrowthPoint many = points.get(points.size() - 1);
    return Optional.of(
        Finding.note(
            "Among %s keys a decision takes %s times as long as among %s; what grows is the processor's cache misses, and a plain GET has them, too."
                .formatted(
                    Say.count(many.size()),
                    Say.hundredths(many.micros() / few.micros()),
                    Say.count(few.size()))));
  }

  private Optional<Finding> masters() {
    List<GrowthPoint> points = points(GrowthPoint.MASTERS, BUCKET);
    if (points.size() < 2) {
      return Optional.empty();
    }
    GrowthPoint one = points.get(0);
    GrowthPoint all = points.get(points.size() - 1);
    boolean crowded = Machine.cores() < all.size() + 1;
    return Optional.of(
        Finding.note(
            "On %d masters 8 threads make %s times as many decisions as on one%s."
                .formatted(
                    all.size(),
                    Say.hundredths(all.perSecond() / one.perSecond()),
                    crowded
                        ? "; here they share "
                            + Machine.cores()
                            + " processors, so this says what a cluster costs and not what it brings"
                        : "")));
  }

  private void pictures(Chapter chapter) {
    Lines tiers = new Lines("Tiers", "tiers of the limit", "µs per allowed decision");
    for (Algorithm algorithm : Algorithm.values()) {
      List<ScriptCost> costs =
          results.scripts().stream()
              .filter(c -> c.what().equals(Case.title(algorithm)) && c.allowed())
              .filter(c -> c.form().equals(ScriptCost.SHIPPED))
              .sorted(Comparator.comparingInt(ScriptCost::tiers))
              .toList();
      if (!costs.isEmpty()) {
        tiers.line(
            Case.title(algorithm),
            HUES.get(algorithm),
            costs.stream().mapToDouble(ScriptCost::tiers).toArray(),
            costs.stream().mapToDouble(ScriptCost::micros).toArray());
      }
    }
    if (!tiers.isEmpty()) {
      chapter.add(tiers.figure("Time of the script on the server."));
    }
    Lines keys = new Lines("Keys", "keys", "µs per allowed decision").logarithmicX();
    line(keys, BUCKET, Hue.BLUE);
    line(keys, Floor.SAME_COMMANDS.title(), Hue.GREY);
    if (!keys.isEmpty()) {
      chapter.add(keys.figure("Time of the script on the server, keys in random order."));
    }
    Bars masters = new Bars("Masters of a cluster", "decisions a second, 8 threads, Jedis");
    points(GrowthPoint.MASTERS, BUCKET)
        .forEach(p -> masters.bar("masters: " + p.size(), BUCKET, Hue.BLUE, p.perSecond()));
    if (!masters.isEmpty()) {
      chapter.add(masters.figure("Client and all masters on this one machine."));
    }
  }

  private void line(Lines lines, String what, Hue hue) {
    List<GrowthPoint> points = points(GrowthPoint.KEYS, what);
    if (!points.isEmpty()) {
      lines.line(
          what,
          hue,
          points.stream().mapToDouble(GrowthPoint::size).toArray(),
          points.stream().mapToDouble(GrowthPoint::micros).toArray());
    }
  }

  private DataTable table() {
    DataTable table =
        new DataTable("Growth", 2, "with", "what", "how many", "µs of the script", "a second");
    for (GrowthPoint point : results.growth()) {
      table.row(
          point.with(),
          point.what(),
          Say.count(point.size()),
          Say.hundredths(point.micros()),
          point.perSecond() > 0 ? Say.count(point.perSecond()) : "");
    }
    return table;
  }

  private List<GrowthPoint> points(String with, String what) {
    return results.growth().stream()
        .filter(p -> p.with().equals(with) && p.what().equals(what))
        .sorted(Comparator.comparingInt(GrowthPoint::size))
        .toList();
  }
}
