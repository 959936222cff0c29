package io.github.penstock.compat.dropin;

import io.github.penstock.testkit.model.LuaNumber;

/** The bounds of the drop-ins' arguments. */
final class CheckedNumbers {
  static final double MOST_AMOUNT = 1e15;
  static final double EARLIEST_NOW_S = 1e9;
  static final double LATEST_NOW_S = 1e10;
  static final double MOST_UNITS = 1e12;
  static final double MOST_TTL_S = 1e9;

  private CheckedNumbers() {}

  static double positive(String text, String name) throws DropInError {
    double value = amount(text, name);
    require(value > 0, name);
    return value;
  }

  static double amount(String text, String name) throws DropInError {
    double value = LuaNumber.number(text);
    require(value >= 0 && value <= MOST_AMOUNT, name);
    return value;
  }

  /** A caller's time where it is optional. */
  static double now(String text) throws DropInError {
    double value = LuaNumber.number(text);
    require(value >= EARLIEST_NOW_S && value <= LATEST_NOW_S, "now");
    return value;
  }

  static double integer(String text, String name, double least, double most) throws DropInError {
    double value = LuaNumber.number(text);
    require(value >= least && value <= most && value == Math.rint(value), name);
    return value;
  }

  static void require(boolean holds, String name) throws DropInError {
    if (!holds) {
      throw new DropInError(name);
    }
  }
}
