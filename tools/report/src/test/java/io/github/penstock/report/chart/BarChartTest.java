package io.github.penstock.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class BarChartTest {
  @Test
  @DisplayName("Bars are as long as their values, in order, beside their numbers")
  void lengths() {
    DrawnChart chart = DrawnChart.of(calls().figure(""));
    List<Element> ours = chart.marks("rect", SeriesColor.BLUE);
    List<Element> raw = chart.marks("rect", SeriesColor.GREY);
    assertThat(ours).hasSize(2);
    assertThat(raw).hasSize(1);
    assertThat(length(ours.get(0)) / length(raw.get(0))).isCloseTo(0.8, within(0.01));
    assertThat(length(ours.get(1)) / length(raw.get(0))).isCloseTo(0.5, within(0.01));
    assertThat(DrawnChart.number(ours.get(1), "y"))
        .isGreaterThan(DrawnChart.number(raw.get(0), "y"));
    assertThat(chart.texts())
        .containsSubsequence("Penstock", "raw", "Jedis", "40,000", "50,000", "Lettuce", "25,000");
  }

  @Test
  @DisplayName("A mark is a line across all bars, where a bar of its value ends")
  void mark() {
    DrawnChart chart = DrawnChart.of(calls().mark(50_000).figure(""));
    Element raw = chart.marks("rect", SeriesColor.GREY).get(0);
    Element line =
        chart.all("path").stream()
            .filter(path -> !path.getAttribute("stroke").isEmpty())
            .findFirst()
            .orElseThrow();
    double x = Double.parseDouble(line.getAttribute("d").replaceAll("^M([0-9.]+) .*", "$1"));
    assertThat(x).isCloseTo(DrawnChart.number(raw, "x") + length(raw), within(0.5));
    assertThat(DrawnChart.of(calls().mark(100_000).figure("")).texts()).contains("100,000");
  }

  @Test
  @DisplayName("Every bar says what it is, and so does the chart to those who do not see it")
  void words() {
    DrawnChart chart = DrawnChart.of(calls().figure(""));
    assertThat(chart.root().getAttribute("role")).isEqualTo("img");
    assertThat(chart.description())
        .isEqualTo(
            "Calls & more. Bars, calls per second. Jedis: Penstock 40,000, raw 50,000; Lettuce:"
                + " Penstock 25,000.");
    assertThat(chart.tooltips())
        .containsExactly(
            "Jedis, Penstock: 40,000 (calls per second)",
            "Jedis, raw: 50,000 (calls per second)",
            "Lettuce, Penstock: 25,000 (calls per second)");
  }

  @Test
  @DisplayName("However long names and numbers are, marks and texts stay within the picture")
  void bounds() {
    for (int length = 1; length <= 120; length += 7) {
      BarChart bars = new BarChart("Most", "units of one subject");
      bars.bar("x".repeat(length) + "1", "limit " + "y".repeat(length), SeriesColor.GREY, 0);
      bars.bar("x".repeat(length) + "2", "most", SeriesColor.BLUE, Math.pow(10, length % 13) - 2);
      DrawnChart chart = DrawnChart.of(bars.figure(""));
      chart.holdsAllItsTexts();
      for (Element bar : chart.marks("rect", SeriesColor.BLUE)) {
        double x = DrawnChart.number(bar, "x");
        assertThat(x).isNotNegative();
        assertThat(x + length(bar)).isLessThan(chart.width());
        assertThat(DrawnChart.number(bar, "y") + DrawnChart.number(bar, "height"))
            .isLessThan(chart.height());
      }
      assertThat(chart.texts())
          .anyMatch(text -> text.endsWith("x1"))
          .anyMatch(t -> t.endsWith("x2"));
    }
    BarChart ratios = new BarChart("Ratios", "ratio").numbers("#,##0.00");
    DrawnChart.of(ratios.bar("one", "two", SeriesColor.BLUE, 1.17).figure("")).holdsAllItsTexts();
  }

  @Test
  @DisplayName("Charts of one reach share their axis, and none is cut off by it")
  void sharedReach() {
    DrawnChart less = DrawnChart.of(one(40).reach(100).figure(""));
    DrawnChart more = DrawnChart.of(one(100).figure(""));
    Element lessBar = less.marks("rect", SeriesColor.BLUE).get(0);
    Element moreBar = more.marks("rect", SeriesColor.BLUE).get(0);
    assertThat(length(lessBar) / length(moreBar)).isCloseTo(0.4, within(0.01));
    assertThat(less.texts()).contains("0", "20", "100");
    assertThat(one(100).reach(10).figure("").svg()).isEqualTo(one(100).figure("").svg());
  }

  @Test
  @DisplayName("Only numbers have a bar")
  void numbers() {
    for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(DrawnChart.of(one(none).figure("")).marks("rect", SeriesColor.BLUE)).isEmpty();
    }
    assertThat(DrawnChart.of(one(-5).figure("")).texts()).contains("-5");
  }

  private static BarChart one(double value) {
    return new BarChart("One", "units").bar("it", "most", SeriesColor.BLUE, value);
  }

  private static BarChart calls() {
    return new BarChart("Calls & more", "calls per second")
        .bar("Jedis", "Penstock", SeriesColor.BLUE, 40_000)
        .bar("Jedis", "raw", SeriesColor.GREY, 50_000)
        .bar("Lettuce", "Penstock", SeriesColor.BLUE, 25_000);
  }

  private static double length(Element bar) {
    return DrawnChart.number(bar, "width");
  }
}
