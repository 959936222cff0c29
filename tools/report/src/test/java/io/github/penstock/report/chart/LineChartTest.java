package io.github.penstock.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class LineChartTest {
  @Test
  @DisplayName("On an axis of powers of ten equal ratios are equal lengths, marked with a tooltip")
  void powers() {
    DrawnChart chart =
        DrawnChart.of(
            new LineChart("Growth", "keys", "µs per call")
                .logarithmicX()
                .line(
                    "all", SeriesColor.ORANGE, new double[] {1e3, 1e4, 1e6}, new double[] {3, 4, 6})
                .figure(""));
    List<Element> marks = chart.marks("circle", SeriesColor.ORANGE);
    assertThat(marks).hasSize(3);
    double first = DrawnChart.number(marks.get(0), "cx");
    double second = DrawnChart.number(marks.get(1), "cx");
    double third = DrawnChart.number(marks.get(2), "cx");
    assertThat((third - second) / (second - first)).isCloseTo(2, within(0.01));
    assertThat(chart.tooltips())
        .containsExactly("all, 1,000: 3", "all, 10,000: 4", "all, 1,000,000: 6");
    assertThat(chart.texts()).contains("1,000", "1,000,000", "keys", "µs per call");
    chart.holdsAllItsTexts();
  }

  @Test
  @DisplayName("A line that hides another says in the legend that it is the same")
  void equals() {
    double[] x = {0, 1, 2};
    double[] longer = {0, 1, 2, 3};
    DrawnChart chart =
        DrawnChart.of(
            new LineChart("Denied", "seconds", "requests")
                .stepsOverTime(null)
                .line("fixed", SeriesColor.ORANGE, x, new double[] {0, 5, 0})
                .line("token", SeriesColor.BLUE, x, new double[] {0, 4, 0})
                .line("interval", SeriesColor.GREEN, longer, new double[] {0, 5, 0, 0})
                .line("leaky", SeriesColor.TEAL, longer, new double[] {0, 4, 0, 1})
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

  @Test
  @DisplayName("One point is a chart, and as many x as y are needed")
  void fewPoints() {
    LineChart chart = new LineChart("One", "tiers", "µs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> chart.line("no", SeriesColor.BLUE, new double[0], new double[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> chart.line("no", SeriesColor.BLUE, new double[1], new double[2]));
    chart.line("one", SeriesColor.BLUE, new double[] {1}, new double[] {0});
    assertThat(DrawnChart.of(chart.figure("")).marks("circle", SeriesColor.BLUE)).hasSize(1);
    assertThat(chart.figure("").svg()).doesNotContain("NaN");
  }

  @Test
  @DisplayName("A file of its own brings its colours, for light and for dark pages")
  void file() {
    ReportFigure figure = traffic(60, 5).figure("");
    assertThat(figure.file())
        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\"")
        .contains("prefers-color-scheme: dark", "--hue-blue:");
    assertThat(figure.svg()).doesNotContain("http:", "#", "rgb(").endsWith("</svg>");
  }

  /* Passed half of the time. */
  private static LineChart traffic(double seconds, double most) {
    double[] x = new double[61];
    double[] asked = new double[61];
    double[] passed = new double[61];
    for (int i = 0; i < x.length; i++) {
      x[i] = i * seconds / 60;
      asked[i] = most < 7 ? 7 : most;
      passed[i] = i < 5 ? most : 0;
    }
    return new LineChart("token-bucket", "from the beginning", "requests per second")
        .stepsOverTime(null)
        .line("asked for", SeriesColor.GREY, x, asked)
        .line("passed", SeriesColor.BLUE, x, passed);
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
