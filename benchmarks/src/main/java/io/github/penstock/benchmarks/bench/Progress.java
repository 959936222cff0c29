package io.github.penstock.benchmarks.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Tells what is measured now and how long it takes still: a line per step, which on a terminal is
 * kept up to date and elsewhere told again after a minute, its figure added when it is there. Safe
 * for use by several threads.
 */
final class Progress {
  private static final int FIGURE_COLUMN = 78;
  private static final long TOLD_EVERY_NANOS = 60_000_000_000L;
  private final PrintWriter out;
  private final int steps;
  private final double plannedSeconds;
  private final boolean terminal;
  private final long beginning = System.nanoTime();
  private double done;
  private double within;
  private double plannedForStep;
  private String label = "";
  private int step;
  private int column;
  private long toldNanos;

  /**
   * For so many steps.
   *
   * @param plannedSeconds how long all of them should take
   * @param terminal whether a line can be written again
   */
  Progress(PrintWriter out, int steps, double plannedSeconds, boolean terminal) {
    this.out = out;
    this.steps = steps;
    this.plannedSeconds = plannedSeconds;
    this.terminal = terminal;
  }

  /** A step begins. */
  synchronized void begin(String what, double planned) {
    step++;
    label = what;
    plannedForStep = planned;
    within = 0;
    line();
  }

  /** So many rounds of the step are done. */
  synchronized void within(int rounds, int of) {
    within = plannedForStep * Math.min(rounds, of) / of;
    if (terminal) {
      out.print('\r');
      line();
      out.print(round(rounds, of));
      out.flush();
    } else if (System.nanoTime() - toldNanos > TOLD_EVERY_NANOS) {
      out.println(round(rounds, of));
      line();
    }
  }

  private static String round(int rounds, int of) {
    return String.format(Locale.ROOT, "  round %d/%d", rounds, of);
  }

  /** The step is done; {@code figure} is its result, in few characters. */
  synchronized void end(String figure) {
    done += plannedForStep;
    within = 0;
    if (terminal) {
      out.print('\r' + " ".repeat(FIGURE_COLUMN) + '\r');
      line();
    }
    out.println(" ".repeat(Math.max(1, FIGURE_COLUMN - column)) + figure);
    out.flush();
  }

  /** How long it took until now. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - beginning);
  }

  private void line() {
    String line = String.format(Locale.ROOT, "%3d/%d %8s left  %s", step, steps, left(), label);
    out.print(line);
    out.flush();
    toldNanos = System.nanoTime();
    column = line.length();
  }

  /* As planned at first; then as long as the planned time took so far, in proportion. */
  private String left() {
    double elapsed = elapsed().toMillis() / 1e3;
    double passed = done + within;
    double pace = passed < plannedSeconds / 20 ? 1 : elapsed / passed;
    long seconds = Math.round(Math.max(0, plannedSeconds - passed) * pace);
    return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }
}
