package io.github.penstock.compat.result;

import java.util.Locale;

/** Times as people read them. */
final class MillisText {
  private static final double US_PER_MS = 1_000;

  private MillisText() {}

  /** Nanoseconds: {@code 4 µs}, and from 100 µs on as {@link #of}. */
  static String ofNanos(long nanos) {
    long micros = (nanos + 500) / 1_000;
    return micros < 100 ? micros + " µs" : of(micros);
  }

  /** Microseconds in milliseconds: {@code 0}, {@code 0.4 ms}, {@code 512 ms}, {@code 12,345 ms}. */
  static String of(long micros) {
    if (micros <= 0) {
      return "0";
    }
    if (micros < 100) {
      return "< 0.1 ms";
    }
    String format = micros < 10 * US_PER_MS ? "%.1f ms" : "%,.0f ms";
    return String.format(Locale.ROOT, format, micros / US_PER_MS);
  }
}
