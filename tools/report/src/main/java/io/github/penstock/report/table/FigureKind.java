package io.github.penstock.report.table;

import io.github.penstock.report.text.NumberText;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The kind of a column's figures, and so their format; JSON has numbers as they are. */
public enum FigureKind {
  WORDS(String::valueOf),
  /** How many: {@code 1,234}. */
  COUNT(figure -> NumberText.count(number(figure))),
  /** {@code 1,234.5}. */
  TENTHS(figure -> NumberText.tenths(number(figure))),
  /** {@code 1,234.56}. */
  HUNDREDTHS(figure -> NumberText.hundredths(number(figure))),
  /** A {@link PartOf} a whole, in percent. */
  PERCENT(figure -> ((PartOf) figure).percent()),
  /** Microseconds, with three digits at most: {@code 1.23 s}. */
  TIME(figure -> NumberText.time((Long) figure)),
  /** Microseconds that are a setting: {@code 90 s}. */
  PERIOD(figure -> NumberText.exactTime((Long) figure)),
  WRITTEN(String::valueOf);

  private final Function<Object, String> writer;

  FigureKind(Function<Object, String> writer) {
    this.writer = writer;
  }

  /**
   * A part of a whole.
   *
   * @param part how many of them; all that JSON has
   * @param whole how many there are
   */
  public record PartOf(long part, long whole) {
    private String percent() {
      return NumberText.percent(part, whole);
    }
  }

  /* Words in place of a figure say why there is none. */
  String text(@Nullable Object figure) {
    return figure == null ? "" : figure instanceof String words ? words : writer.apply(figure);
  }

  static @Nullable Object json(@Nullable Object figure) {
    return figure instanceof PartOf some ? (Object) some.part : figure;
  }

  private static double number(Object figure) {
    return ((Number) figure).doubleValue();
  }
}
