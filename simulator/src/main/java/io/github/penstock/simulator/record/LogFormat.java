package io.github.penstock.simulator.record;

import java.util.Locale;

/** How a log is written. */
public enum LogFormat {
  /** Apache's and nginx's common and combined formats, with or without the virtual host first. */
  COMMON("common"),
  /** The same as {@link #COMMON}, which is read with and without referer and user agent. */
  COMBINED("combined"),
  /** Separated by commas, semicolons, tabs or bars, with a header or {@code --columns}. */
  CSV("CSV"),
  /** A JSON object in every line. */
  JSON("JSON Lines");

  private final String title;

  LogFormat(String title) {
    this.title = title;
  }

  /** The name for people. */
  public String title() {
    return title;
  }

  public boolean isCommon() {
    return this == COMMON || this == COMBINED;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
