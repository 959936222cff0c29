package io.github.penstock.benchmarks.run;

import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.text.NumberText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows the current measurement and its remaining time: a line per step, completed by its figure.
 * Safe for use by several threads.
 */
final class StepProgress {
  private final ProgressLine line;
  private final int steps;
  private final double plannedSeconds;
  private final long beginning = System.nanoTime();
  private double done;
  private double within;
  private double plannedForStep;
  private String label = "";
  private int step;

  /**
   * For so many steps.
   *
   * @param plannedSeconds how long all of them should take
   */
  StepProgress(PrintWriter out, int steps, double plannedSeconds) {
    line = new ProgressLine(out, Duration.ofMinutes(1));
    this.steps = steps;
    this.plannedSeconds = plannedSeconds;
  }

  /** A step begins. */
  synchronized void begin(String what, double planned) {
    step++;
    label = what;
    plannedForStep = planned;
    within = 0;
    line.begin(text());
  }

  /** This number of rounds of the step is done. */
  synchronized void within(int rounds, int of) {
    within = plannedForStep * Math.min(rounds, of) / of;
    line.update(() -> text() + "  round " + rounds + "/" + of);
  }

  /** The step is done; {@code figure} is its result, in few characters. */
  synchronized void end(String figure) {
    done += plannedForStep;
    within = 0;
    line.end(text(), figure);
  }

  /** Returns how long it took until now. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - beginning);
  }

  /* As planned at first; then as long as the planned time took so far, in proportion. */
  private String text() {
    double passed = done + within;
    double pace = passed < plannedSeconds / 20 ? 1 : elapsed().toMillis() / 1e3 / passed;
    String left = NumberText.clock((plannedSeconds - passed) * pace);
    return String.format(Locale.ROOT, "%3d/%d %8s left  %s", step, steps, left, label);
  }
}
