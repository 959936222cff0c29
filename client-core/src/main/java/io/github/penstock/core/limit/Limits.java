package io.github.penstock.core.limit;

/**
 * Limits as text, for configuration files: {@code ALGORITHM:UNITS/PERIOD[,burst=N]}, with further
 * tiers after a {@code +}.
 *
 * <pre>
 * fixed-window:1000/1h            at most 1000 units in an hour
 * token-bucket:100/1m,burst=20    holds 20, gains 100 a minute
 * leaky-bucket:10/1s+100/1m       holds 10 and 100; both must have room
 * </pre>
 *
 * <p>Periods end in {@code us}, {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}. A bucket
 * without a burst holds as many units as it gains in a period; a window has no burst. The project's
 * {@code docs/limits.md} has the complete grammar, and test vectors for other languages.
 */
public final class Limits {
  private Limits() {}

  /**
   * Parses a limit; {@code Limits.parse(limit.toString())} equals {@code limit}.
   *
   * @throws IllegalArgumentException if the text is not a valid limit; the message contains the
   *     text, the position (an index from 0), the offending words, and the rule: {@code limit
   *     "token-bucket:100/1x" at 17, "1x": a period must be a number with us, ms, s, m, h or d,
   *     such as 1m}; for another common notation, such as {@code 100/minute}, it also suggests the
   *     equivalent text
   */
  public static Limit parse(String text) {
    return new LimitParser(text).limit();
  }
}
