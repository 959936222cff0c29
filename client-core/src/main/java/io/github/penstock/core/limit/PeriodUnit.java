package io.github.penstock.core.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The units of a period in a limit's text, longest first. */
enum PeriodUnit {
  DAY("d", TimeUnit.DAYS),
  HOUR("h", TimeUnit.HOURS),
  MINUTE("m", TimeUnit.MINUTES),
  SECOND("s", TimeUnit.SECONDS),
  MILLISECOND("ms", TimeUnit.MILLISECONDS),
  MICROSECOND("us", TimeUnit.MICROSECONDS);

  private final String symbol;
  private final long micros;

  PeriodUnit(String symbol, TimeUnit unit) {
    this.symbol = symbol;
    this.micros = unit.toMicros(1);
  }

  /** Returns the unit with this symbol, such as {@code ms}, or null if there is none. */
  static @Nullable PeriodUnit of(String symbol) {
    for (PeriodUnit unit : values()) {
      if (unit.symbol.equals(symbol)) {
        return unit;
      }
    }
    return null;
  }

  /** Returns the duration of this number of units, or null if it is not from 1 us to 366 days. */
  @Nullable Duration times(long number) {
    boolean within = number >= 1 && number <= MICROSECOND.in(LimitBounds.LONGEST) / micros;
    return within ? Duration.of(number * micros, ChronoUnit.MICROS) : null;
  }

  /** Returns the period as a whole number of this unit, rounded down. */
  long in(Duration period) {
    return TimeUnit.MICROSECONDS.convert(period) / micros;
  }

  /** Returns the period as a whole number of the longest possible unit, such as {@code 90s}. */
  static String text(Duration period) {
    long left = MICROSECOND.in(period);
    for (PeriodUnit unit : values()) {
      if (left % unit.micros == 0) {
        return left / unit.micros + unit.symbol;
      }
    }
    throw new AssertionError(period);
  }
}
