package io.github.penstock.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** WCAG 2.2, 1.4.3 and 1.4.11. */
class ColorContrastTest {
  @Test
  @DisplayName(
      "Marks stand out by 3:1 and text by 4.5:1 from both backgrounds, in light, dark and print")
  void contrast() {
    String[] themes = SeriesColor.style().split("@media ");
    assertThat(themes).hasSize(3);
    for (String theme : themes) {
      Map<String, String> shown = new HashMap<>(theme.startsWith("print") ? light() : Map.of());
      shown.putAll(colors(theme));
      for (String background : new String[] {"paper", "card"}) {
        for (SeriesColor series : SeriesColor.values()) {
          String name = series.variable().replaceAll("var\\(--|\\)", "");
          check(shown, name, background, 3);
        }
        for (String text : new String[] {"text", "muted", "ahead", "behind", "note"}) {
          check(shown, text, background, 4.5);
        }
      }
    }
  }

  private static Map<String, String> light() {
    return colors(SeriesColor.style().split("@media ")[0]);
  }

  private static Map<String, String> colors(String style) {
    Map<String, String> colors = new HashMap<>();
    Pattern.compile("--([a-z-]+): #([0-9a-f]{6});")
        .matcher(style)
        .results()
        .forEach(color -> colors.put(color.group(1), color.group(2)));
    return colors;
  }

  private static void check(Map<String, String> colors, String name, String on, double least) {
    double one = luminance(colors.get(name));
    double other = luminance(colors.get(on));
    double contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    assertThat(contrast).as(name + " on " + on).isGreaterThanOrEqualTo(least);
  }

  private static double luminance(String color) {
    byte[] rgb = HexFormat.of().parseHex(color);
    return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
  }

  private static double linear(byte channel) {
    double value = (channel & 0xff) / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
