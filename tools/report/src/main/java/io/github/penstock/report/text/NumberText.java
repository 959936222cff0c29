package io.github.penstock.report.text;

import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Numbers and lengths of time as readers get to see them, the same on every machine. */
public final class NumberText {
  private static final long SECOND_US = 1_000_000;
  private static final long MINUTE_US = 60 * SECOND_US;
  private static final long HOUR_US = 60 * MINUTE_US;
  private static final long DAY_US = 24 * HOUR_US;
  private static final Map<Long, String> ONE =
      Map.of(SECOND_US, "second", MINUTE_US, "minute", HOUR_US, "hour", DAY_US, "day");
  private static final Map<String, Long> UNITS_US = new LinkedHashMap<>();

  static {
    UNITS_US.put("d", DAY_US);
    UNITS_US.put("h", HOUR_US);
    UNITS_US.put("min", MINUTE_US);
    UNITS_US.put("s", SECOND_US);
    UNITS_US.put("ms", 1_000L);
    UNITS_US.put("µs", 1L);
  }

  private static final Pattern BEFORE_UNIT =
      Pattern.compile("(?<=\\d) (?=(?:%|" + String.join("|", UNITS_US.keySet()) + ")(?!\\w))");

  private NumberText() {}

  /** With commas: 1,234. */
  public static String count(double number) {
    return of(number, "#,##0");
  }

  /** With the counted noun, in the plural unless the number is one: 1 request, 1,234 requests. */
  public static String count(long number, String what) {
    return count(number) + " " + what + (number == 1 ? "" : "s");
  }

  /** With one digit after the point: 1,234.5. */
  public static String tenths(double number) {
    return of(number, "#,##0.0");
  }

  /** With two digits after the point: 1,234.56. */
  public static String hundredths(double number) {
    return of(number, "#,##0.00");
  }

  /** As {@link DecimalFormat} writes it by this pattern, 5 rounded up. */
  public static String of(double number, String pattern) {
    DecimalFormat format =
        new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    format.setRoundingMode(RoundingMode.HALF_UP);
    return format.format(number);
  }

  /** A part of a whole in percent, never rounded to none or all. */
  public static String percent(long part, long whole) {
    if (whole == 0 || part == 0) {
      return "0 %";
    }
    double percent = 100.0 * part / whole;
    if (part < whole && percent >= 99.995) {
      return "over 99.99 %";
    }
    if (percent < 0.01) {
      return "under 0.01 %";
    }
    boolean near = percent < 0.1 || part < whole && percent >= 99.95;
    boolean tenths = percent < 10 || part < whole && percent >= 99.5;
    return of(percent, near ? "0.00" : tenths ? "0.0" : "0") + " %";
  }

  /** Microseconds in the largest unit that leaves a whole number: {@code 3 s}, {@code 1 min}. */
  public static String exactTime(long micros) {
    for (Map.Entry<String, Long> unit : UNITS_US.entrySet()) {
      if (micros != 0 && micros % unit.getValue() == 0) {
        return micros / unit.getValue() + " " + unit.getKey();
      }
    }
    return "0";
  }

  /** Microseconds in the form that follows "per": {@code second}, {@code 10 s}. */
  public static String per(long micros) {
    return ONE.getOrDefault(micros, exactTime(micros));
  }

  /** Microseconds with three digits at most, in a unit that fits: {@code 1.23 s}. */
  public static String time(long micros) {
    for (Map.Entry<String, Long> unit : UNITS_US.entrySet()) {
      if (micros >= unit.getValue()) {
        double value = (double) micros / unit.getValue();
        return of(value, value >= 100 ? "0" : value >= 10 ? "0.#" : "0.##") + " " + unit.getKey();
      }
    }
    return "0";
  }

  /** A text in which every number and the unit behind it stay in one line: a no-break space. */
  public static String unbroken(String text) {
    return BEFORE_UNIT.matcher(text).replaceAll("\u00a0");
  }

  /** Seconds as on a stopwatch: {@code 2:05}. */
  public static String clock(double seconds) {
    long whole = Math.round(Math.max(0, seconds));
    return whole / 60 + ":" + of(whole % 60, "00");
  }
}
