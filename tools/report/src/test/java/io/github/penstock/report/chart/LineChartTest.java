package io.github.penstock.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class LineChartTest {
  @Test
  @DisplayName("A line that hides another says in the legend that it is the same")
  void equals() {
    DrawnChart chart =
        DrawnChart.of(
            new LineChart("Denied", "requests", null, 1)
                .line("fixed", SeriesColor.ORANGE, new long[] {0, 5})
                .line("token", SeriesColor.BLUE, new long[] {0, 4})
                .line("interval", SeriesColor.GREEN, new long[] {0, 5, 0})
                .line("leaky", SeriesColor.TEAL, new long[] {0, 4, 1})
                .figure(""));
    assertThat(chart.texts())
        .contains("fixed", "token", "interval, same as fixed", "leaky")
        .doesNotContain("interval");
  }

  @Test
  @DisplayName("Steps hold a value until the next, and all series of a slot are told together")
  void steps() {
    DrawnChart chart = DrawnChart.of(traffic(60, 5).figure(""));
    assertThat(chart.tooltips())
        .hasSize(60)
        .startsWith("0: asked for 7, passed 5")
        .contains("5 s: asked for 7, passed 0");
    assertThat(chart.texts()).contains("seconds from the beginning", "0", "10", "60");
    assertThat(chart.description())
        .contains("asked for: 7 at first, at most 7, at 0, and 7 at last; passed: 5 at first");
    Element passed = chart.marks("path", SeriesColor.BLUE).get(0);
    assertThat(passed.getAttribute("d"))
        .containsPattern("^M[0-9. ]+(H[0-9.]+)+V[0-9.]+(H[0-9.]+)+$");
  }

  @Test
  @DisplayName("Time has ticks as on a clock, and every mark and text stays within the picture")
  void clocks() {
    double[] lengths = {0.3, 1, 59, 240, 3_600, 86_400, 700_000, 4e7, 1e9};
    String[] units = {
      "seconds", "seconds", "seconds", "minutes", "minutes", "hours", "days", "days", "days"
    };
    for (int i = 0; i < lengths.length; i++) {
      DrawnChart chart = DrawnChart.of(traffic(lengths[i], 1_234_567).figure(""));
      assertThat(chart.texts()).contains(units[i] + " from the beginning");
      chart.holdsAllItsTexts();
      for (Element path : chart.all("path")) {
        assertThat(DrawnChart.points(path))
            .allMatch(number -> number >= 0 && number <= chart.width());
      }
    }
    assertThat(DrawnChart.of(traffic(86_400, 1).figure("")).texts())
        .contains("6", "12", "18", "24");
    assertThat(DrawnChart.of(traffic(3_600, 1).figure("")).texts()).contains("10", "30", "60");
  }

  @Test
  @DisplayName("Charts of one reach share their axes")
  void sharedReach() {
    double lower = top(traffic(60, 40).reach(0, 100).figure(""));
    double higher = top(traffic(60, 100).figure(""));
    assertThat(lower).isGreaterThan(higher + 10);
    assertThat(top(traffic(60, 100).reach(10, 40).figure(""))).isEqualTo(higher);
    double whole = end(traffic(60, 100).figure(""));
    double half = end(traffic(30, 100).reach(60, 0).figure(""));
    assertThat(half).isBetween(whole * 0.5, whole * 0.6);
  }

  /* Passed in the first slots only. */
  private static LineChart traffic(double seconds, long most) {
    long[] asked = new long[60];
    long[] passed = new long[60];
    Arrays.fill(asked, Math.max(7, most));
    Arrays.fill(passed, 0, 5, most);
    return new LineChart("token-bucket", "requests per second", null, seconds / 60)
        .line("asked for", SeriesColor.GREY, asked)
        .line("passed", SeriesColor.BLUE, passed);
  }

  private static double end(ReportFigure figure) {
    List<Double> points =
        DrawnChart.points(DrawnChart.of(figure).marks("path", SeriesColor.BLUE).get(0));
    return points.get(points.size() - 1);
  }

  private static double top(ReportFigure figure) {
    Element passed = DrawnChart.of(figure).marks("path", SeriesColor.BLUE).get(0);
    return DrawnChart.points(passed).get(1);
  }
}
