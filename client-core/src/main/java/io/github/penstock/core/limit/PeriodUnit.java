package io.github.penstock.core.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The units in which a limit's text has its periods, the longest first. */
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

  /** The unit of a symbol such as {@code ms}, or null if there is none. */
  static @Nullable PeriodUnit of(String symbol) {
    for (PeriodUnit unit : values()) {
      if (unit.symbol.equals(symbol)) {
        return unit;
      }
    }
    return null;
  }

  /** The duration of that many of this unit, or null if it is not from 1 us to 366 days. */
  @Nullable Duration times(long number) {
    boolean within = number >= 1 && number <= MICROSECOND.in(LimitBounds.LONGEST) / micros;
    return within ? Duration.of(number * micros, ChronoUnit.MICROS) : null;
  }

  /** Returns how many whole ones of this unit are in a period. */
  long in(Duration period) {
    return TimeUnit.MICROSECONDS.convert(period) / micros;
  }

  /** A period as a whole number of the longest unit that allows it, such as {@code 90s}. */
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
