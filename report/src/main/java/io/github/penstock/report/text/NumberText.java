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
  private static final Map<String, Long> UNITS_US = new LinkedHashMap<>();
  private static final Pattern BEFORE_UNIT =
      Pattern.compile("(?<=\\d) (?=(?:%|d|h|min|s|ms|µs)(?!\\w))");

  static {
    UNITS_US.put("d", 86_400_000_000L);
    UNITS_US.put("h", 3_600_000_000L);
    UNITS_US.put("min", 60_000_000L);
    UNITS_US.put("s", 1_000_000L);
    UNITS_US.put("ms", 1_000L);
    UNITS_US.put("µs", 1L);
  }

  private NumberText() {}

  /** With commas: 1,234. */
  public static String count(double number) {
    return of(number, "#,##0");
  }

  /** With what is counted, which gets an s unless it is one: 1 request, 1,234 requests. */
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
    return format(pattern).format(number);
  }

  /** The least number that a pattern shows as more than 0. */
  public static double finest(String pattern) {
    return StrictMath.pow(10, -format(pattern).getMaximumFractionDigits());
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

  /** Microseconds as in "so many per": {@code second}, {@code 10 s}. */
  public static String per(long micros) {
    String time = exactTime(micros);
    return switch (time) {
      case "1 s" -> "second";
      case "1 min" -> "minute";
      case "1 h" -> "hour";
      case "1 d" -> "day";
      default -> time;
    };
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

  private static DecimalFormat format(String pattern) {
    DecimalFormat format =
        new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    format.setRoundingMode(RoundingMode.HALF_UP);
    return format;
  }
}
