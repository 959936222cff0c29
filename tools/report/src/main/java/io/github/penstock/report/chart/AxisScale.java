package io.github.penstock.report.chart;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Where values lie on an axis, and the round numbers that are written on it.
 *
 * @param from the value at its beginning
 * @param to the value at its end, greater
 * @param logarithmic whether equal lengths are equal ratios
 * @param ticks its labels
 * @param unit of a clock's ticks; empty for other axes
 */
record AxisScale(double from, double to, boolean logarithmic, List<Tick> ticks, String unit) {
  private static final double MINUTE = 60;
  private static final double HOUR = 3_600;
  private static final double DAY = 86_400;
  private static final double NEARLY = 1e-9;
  private static final double[] CLOCK = {
    0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200
  };

  /** A number on an axis. */
  record Tick(double value, String label) {}

  /**
   * From 0 to a round number that is not less than {@code most}, with ticks at whole numbers.
   *
   * @param count how many ticks there are at most
   */
  static AxisScale fromZero(double most, int count, DoubleFunction<String> label) {
    double reach = most > 0 ? most : 1;
    double step = Math.max(1, step(reach, count));
    double to = StrictMath.ceil(reach / step - NEARLY) * step;
    return new AxisScale(0, to, false, ticks(0, to, step, label), "");
  }

  /** Seconds from 0 on, with ticks as on a clock. */
  static AxisScale clock(double seconds, int count, DoubleFunction<String> label) {
    double step = clockStep(seconds, count);
    double unit = step < MINUTE ? 1 : step < HOUR ? MINUTE : step < DAY ? HOUR : DAY;
    return new AxisScale(
        0,
        seconds,
        false,
        ticks(0, seconds, step, value -> label.apply(value / unit)),
        unit == 1 ? "seconds" : unit == MINUTE ? "minutes" : unit == HOUR ? "hours" : "days");
  }

  /** Seconds since a time, with ticks at the times of its zone that people read on a clock. */
  static AxisScale timeOfDay(ZonedDateTime begin, double seconds, int count) {
    double step = Math.max(1, clockStep(seconds, count));
    boolean days = step >= DAY;
    DateTimeFormatter label =
        DateTimeFormatter.ofPattern(
            days ? "d MMM" : step < MINUTE ? "HH:mm:ss" : "HH:mm", Locale.ENGLISH);
    double intoDay = begin.toLocalTime().toNanoOfDay() / 1e9;
    List<Tick> ticks =
        ticks(
            intoDay,
            intoDay + seconds,
            step,
            value -> label.format(begin.plusNanos(Math.round((value - intoDay) * 1e9))));
    return new AxisScale(
        0,
        seconds,
        false,
        ticks.stream().map(tick -> new Tick(tick.value - intoDay, tick.label)).toList(),
        DateTimeFormatter.ofPattern("'from' uuuu-MM-dd HH:mm VV").format(begin));
  }

  /** Powers of ten, between ends that are greater than 0. */
  static AxisScale powers(double from, double to, int count, DoubleFunction<String> label) {
    double end = to > from ? to : from * 10;
    long first = (long) StrictMath.ceil(StrictMath.log10(from) - NEARLY);
    long last = (long) StrictMath.floor(StrictMath.log10(end) + NEARLY);
    long every = 1 + (last - first) / count;
    List<Tick> ticks =
        LongStream.rangeClosed(first, last)
            .filter(power -> (power - first) % every == 0)
            .mapToObj(power -> tick(StrictMath.pow(10, power), label))
            .toList();
    return new AxisScale(from, end, true, ticks, "");
  }

  /** From 0 at the beginning to 1 at the end. */
  double position(double value) {
    return logarithmic
        ? StrictMath.log10(value / from) / StrictMath.log10(to / from)
        : (value - from) / (to - from);
  }

  private static double clockStep(double seconds, int count) {
    return DoubleStream.of(CLOCK)
        .filter(each -> seconds / each <= count)
        .findFirst()
        .orElseGet(() -> Math.max(1, step(seconds / DAY, count)) * DAY);
  }

  private static List<Tick> ticks(
      double from, double to, double step, DoubleFunction<String> label) {
    long first = (long) StrictMath.ceil(from / step - NEARLY);
    return LongStream.rangeClosed(first, (long) (to / step + NEARLY))
        .mapToObj(number -> tick(number * step, label))
        .toList();
  }

  private static Tick tick(double value, DoubleFunction<String> label) {
    return new Tick(value, label.apply(value));
  }

  /* 1, 2 or 5 times a power of ten. */
  private static double step(double span, int count) {
    double least = span / Math.max(1, count);
    double power = StrictMath.pow(10, StrictMath.floor(StrictMath.log10(least)));
    return DoubleStream.of(1, 2, 5)
        .map(digit -> digit * power)
        .filter(step -> step >= least * (1 - NEARLY))
        .findFirst()
        .orElse(10 * power);
  }
}
