package io.github.penstock.report.console;

/** How many columns a line may have: the terminal's, or {@value #ELSEWHERE} where there is none. */
public final class TerminalWidth {
  /** The system property that holds the terminal's columns. */
  public static final String PROPERTY = "penstock.columns";

  private static final int LEAST = 40;
  private static final int MOST = 120;
  private static final int ELSEWHERE = 100;

  private TerminalWidth() {}

  /** From {@value #LEAST} to {@value #MOST}. */
  public static int columns() {
    return Math.max(LEAST, Math.min(Integer.getInteger(PROPERTY, ELSEWHERE), MOST));
  }
}
