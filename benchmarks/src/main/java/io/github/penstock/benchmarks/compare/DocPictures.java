package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Series.Kind;
import io.github.penstock.benchmarks.report.Bars;
import io.github.penstock.benchmarks.report.Figure;
import io.github.penstock.benchmarks.report.Hue;
import io.github.penstock.benchmarks.report.Picture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The pictures of docs/algorithms.md: a burst on each side of a window's edge. */
final class DocPictures {
  private DocPictures() {}

  /** Plays and draws. */
  static List<Drawing> of(Compare compare) {
    Played played = compare.scenario(Scenario.EDGE, Scenario.EDGE.candidates());
    List<Drawing> drawings = new ArrayList<>();
    for (Result result : played.results()) {
      String algorithm = result.candidate().algorithm();
      Figure figure = OverTime.figure(result, algorithm, TrafficChapter.usualHue(algorithm));
      drawings.add(new Drawing(algorithm + ".svg", figure, numbers(result)));
    }
    drawings.add(most(played));
    return drawings;
  }

  private static Drawing most(Played played) {
    Bars bars = new Bars("The most that passed in any 3 s", "requests in 3 s; the limit is 1,000");
    StringBuilder numbers = new StringBuilder();
    for (Result result : played.results()) {
      long most = result.tally().peaks().get(0).most();
      bars.bar(result.candidate().algorithm(), "most in any 3 s", Hue.BLUE, most);
      numbers.append(result.candidate().name()).append(' ').append(most).append('\n');
    }
    return new Drawing("most.svg", bars.figure(""), numbers.toString());
  }

  private static String numbers(Result result) {
    Series series = result.tally().series();
    return result.candidate().name()
        + " "
        + series.widthUs()
        + Arrays.toString(series.counts(Kind.ASKED))
        + Arrays.toString(series.counts(Kind.PASSED));
  }

  /**
   * A picture to be.
   *
   * @param file its name
   * @param figure what it shows
   * @param numbers what it was drawn from
   */
  record Drawing(String file, Figure figure, String numbers) {
    Picture picture() {
      return new Picture(figure, numbers);
    }

    boolean isShownBy(String text) {
      return Picture.shows(text, numbers);
    }
  }
}
