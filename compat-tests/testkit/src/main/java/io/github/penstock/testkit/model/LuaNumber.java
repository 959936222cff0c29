package io.github.penstock.testkit.model;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads an argument as the {@code tonumber} of a server's Lua 5.1 does: C's {@code strtod} on the
 * text up to the first NUL, white space around it allowed.
 *
 * <p>The one place where a double appears, because the text is defined to be read as one: {@code
 * 1e6}, {@code 0x10} and {@code 1.00000000000000000001} are integers to every script.
 */
public final class LuaNumber {
  private static final String SPACE = "[ \\t\\n\\x0B\\f\\r]*";
  private static final Pattern DECIMAL =
      Pattern.compile(SPACE + "([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)" + SPACE);
  private static final Pattern HEXADECIMAL =
      Pattern.compile(
          SPACE
              + "([+-]?0[xX](?:\\p{XDigit}+(?:\\.\\p{XDigit}*)?|\\.\\p{XDigit}+))"
              + "([pP][+-]?\\d+)?"
              + SPACE);
  private static final double LONGS_END = 0x1p63;

  private LuaNumber() {}

  /** The integer of a text; empty if Lua reads none, a fraction, nan, or 2^63 and more. */
  public static OptionalLong integer(String text) {
    double value = number(text);
    boolean integer = Math.abs(value) < LONGS_END && value == Math.rint(value);
    return integer ? OptionalLong.of((long) value) : OptionalLong.empty();
  }

  /** The number of a text; nan if Lua reads none. */
  public static double number(String text) {
    int nul = text.indexOf('\0');
    return terminated(nul < 0 ? text : text.substring(0, nul));
  }

  private static double terminated(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      return Double.parseDouble(decimal.group(1));
    }
    Matcher hexadecimal = HEXADECIMAL.matcher(text);
    if (hexadecimal.matches()) {
      String exponent = hexadecimal.group(2) == null ? "p0" : hexadecimal.group(2);
      return Double.parseDouble(hexadecimal.group(1) + exponent);
    }
    return Double.NaN;
  }
}
