package io.github.penstock.core.limit;

/**
 * Parses limits from text, for example from configuration files. The syntax is {@code
 * ALGORITHM:UNITS/PERIOD[,burst=N]}. Separate several tiers with {@code +}.
 *
 * <pre>
 * fixed-window:1000/1h            at most 1000 units in an hour
 * token-bucket:100/1m,burst=20    holds 20, gains 100 a minute
 * leaky-bucket:10/1s+100/1m       holds 10 and 100; both must have room
 * </pre>
 *
 * <p>A period ends with one of the units {@code us}, {@code ms}, {@code s}, {@code m}, {@code h}
 * and {@code d}. A bucket without {@code burst} holds as many units as it gains in a period. A
 * window has no burst. The project's {@code docs/limits.md} describes the complete grammar and the
 * test vectors for other languages.
 */
public final class Limits {
  private Limits() {}

  /**
   * Parses a limit. {@code Limits.parse(limit.toString())} equals {@code limit}.
   *
   * @throws IllegalArgumentException if the text is not a valid limit. The message contains the
   *     text, the position (an index that starts at 0), the offending words, and the rule, for
   *     example {@code limit "token-bucket:100/1x" at 17, "1x": a period must be a number with us,
   *     ms, s, m, h or d, such as 1m}. If the text is in another common notation, such as {@code
   *     100/minute}, the message also suggests the equivalent text.
   */
  public static Limit parse(String text) {
    return new LimitParser(text).limit();
  }
}
