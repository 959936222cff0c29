package io.github.penstock.report.console;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A line that tells how far something is: written again in its place on a terminal; elsewhere as a
 * line now and then. Safe for use by several threads.
 */
public final class ProgressLine {
  private static final int FIGURE_COLUMN = 78;
  private static final long REWRITTEN_NANOS = 200_000_000;
  private static final String ERASE = "\r\u001b[K";
  private final PrintWriter out;
  private final boolean terminal;
  private final long everyNanos;
  private long shownNanos = System.nanoTime();
  private int column;

  /**
   * A line that is not yet there.
   *
   * @param everyLine how often it is printed without a terminal
   */
  public ProgressLine(PrintWriter out, Duration everyLine) {
    this(out, everyLine, isTerminal());
  }

  ProgressLine(PrintWriter out, Duration everyLine, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
    this.everyNanos = terminal ? REWRITTEN_NANOS : everyLine.toNanos();
  }

  /* The launcher knows; without it, Java knows only of all three streams together. */
  private static boolean isTerminal() {
    String told = System.getProperty("penstock.terminal");
    return told == null ? System.console() != null : told.equals("true");
  }

  /** Shows a line at once, which is still to be ended. */
  public synchronized void begin(String line) {
    // A longer one would go on in the next line of a terminal, which cannot be erased.
    int shown = terminal ? Math.min(line.length(), TerminalWidth.columns() - 1) : line.length();
    out.print((terminal ? ERASE : "") + line.substring(0, shown));
    out.flush();
    column = shown;
    shownNanos = System.nanoTime();
  }

  /** Shows how far it is now, unless that was shown just before. */
  public synchronized void update(Supplier<String> line) {
    if (System.nanoTime() - shownNanos < everyNanos) {
      return;
    }
    if (!terminal && column > 0) {
      out.println();
    }
    begin(line.get());
    if (!terminal) {
      out.println();
      column = 0;
    }
  }

  /** Ends the line with a result at its right. */
  public synchronized void end(String line, String figure) {
    int most = TerminalWidth.columns() - figure.length() - 2;
    if (terminal || column == 0) {
      begin(terminal && most > 0 && line.length() > most ? line.substring(0, most) : line);
    }
    int place = Math.min(FIGURE_COLUMN, TerminalWidth.columns() - figure.length() - 1);
    out.println(" ".repeat(Math.max(1, place - column)) + figure);
    column = 0;
  }

  /** Takes the line away. */
  public synchronized void clear() {
    if (terminal) {
      out.print(ERASE);
      out.flush();
    }
    column = 0;
  }
}
