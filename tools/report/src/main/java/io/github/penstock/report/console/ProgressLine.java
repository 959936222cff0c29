package io.github.penstock.report.console;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A line that tells how far something is: written again in its place on a terminal; elsewhere as a
 * line every 30 s. Safe for use by several threads.
 */
public final class ProgressLine {
  private static final Duration ON_A_TERMINAL = Duration.ofMillis(200);
  private static final Duration ELSEWHERE = Duration.ofSeconds(30);
  private static final String ERASE = "\r\u001b[K";
  private final PrintWriter out;
  private final boolean terminal;
  private final long everyNanos;
  private long shownNanos = System.nanoTime();

  public ProgressLine(PrintWriter out) {
    this(out, isTerminal(), isTerminal() ? ON_A_TERMINAL : ELSEWHERE);
  }

  ProgressLine(PrintWriter out, boolean terminal, Duration every) {
    this.out = out;
    this.terminal = terminal;
    everyNanos = every.toNanos();
  }

  /* The launcher knows; without it, Java knows only of all three streams together. */
  private static boolean isTerminal() {
    String told = System.getProperty("penstock.terminal");
    return told == null ? System.console() != null : told.equals("true");
  }

  /** Shows how far it is now, unless that was shown just before. */
  public synchronized void update(Supplier<String> line) {
    if (System.nanoTime() - shownNanos < everyNanos) {
      return;
    }
    String text = line.get();
    if (terminal) {
      // A longer one would go on in the next line of a terminal, which cannot be erased.
      int shown = Math.min(text.length(), TerminalWidth.columns() - 1);
      out.print(ERASE + text.substring(0, shown));
    } else {
      out.println(text);
    }
    out.flush();
    shownNanos = System.nanoTime();
  }

  public synchronized void clear() {
    if (terminal) {
      out.print(ERASE);
      out.flush();
    }
  }
}
