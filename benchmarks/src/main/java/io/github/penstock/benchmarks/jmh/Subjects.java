package io.github.penstock.benchmarks.jmh;

import java.util.Locale;

/** The names of those who are limited. */
public final class Subjects {
  private static final String[] NAMES = new String[10_000];

  static {
    for (int i = 0; i < NAMES.length; i++) {
      NAMES[i] = String.format(Locale.ROOT, "user:%05d", i);
    }
  }

  private Subjects() {}

  /** The name of a subject, 10 bytes. */
  public static String name(int subject) {
    return NAMES[subject];
  }
}
