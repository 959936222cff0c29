package io.github.penstock.benchmarks.compare.log;

import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/** Values of options. */
public final class Converted {
  private Converted() {}

  /**
   * The value that a text stands for; an IllegalArgumentException becomes what the command line
   * shows, behind the option's name.
   */
  public static <T> T of(String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException wrong) {
      TypeConversionException shown =
          new TypeConversionException(String.valueOf(wrong.getMessage()));
      shown.initCause(wrong);
      throw shown;
    }
  }
}
