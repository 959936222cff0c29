package io.github.penstock.benchmarks.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Tells what is measured now and how long it takes still: a line per step, its figure added when it
 * is there. Not safe for use by several threads.
 */
final class Progress {
  private static final int FIGURE_COLUMN = 78;
  private final PrintWriter out;
  private final int steps;
  private final double plannedSeconds;
  private final long beginning = System.nanoTime();
  private double done;
  private int step;
  private int column;

  /**
   * For so many steps.
   *
   * @param plannedSeconds how long all of them should take
   */
  Progress(PrintWriter out, int steps, double plannedSeconds) {
    this.out = out;
    this.steps = steps;
    this.plannedSeconds = plannedSeconds;
  }

  /** A step begins. */
  void begin(String label) {
    step++;
    String line = String.format(Locale.ROOT, "%3d/%d %8s left  %s", step, steps, left(), label);
    out.print(line);
    out.flush();
    column = line.length();
  }

  /** The step is done; {@code figure} is its result, in few characters. */
  void end(String figure, double plannedForIt) {
    done += plannedForIt;
    out.println(" ".repeat(Math.max(1, FIGURE_COLUMN - column)) + figure);
    out.flush();
  }

  /** How long it took until now. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - beginning);
  }

  /* As planned at first; then as long as the planned time took so far, in proportion. */
  private String left() {
    double elapsed = elapsed().toMillis() / 1e3;
    double pace = done < plannedSeconds / 50 ? 1 : elapsed / done;
    long seconds = Math.round(Math.max(0, plannedSeconds - done) * pace);
    return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }
}
