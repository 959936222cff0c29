package io.github.penstock.spring.configure;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A property has an unusable value, or is missing; {@link StartFailureAnalyzer}. */
public final class WrongPropertyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final String property;

  WrongPropertyException(String property, String rule, @Nullable Throwable cause) {
    super(property + ": " + rule, cause);
    this.property = property;
  }

  /** The name of the property. */
  public String property() {
    return property;
  }

  /** Converts a property; errors are thrown with its name. */
  static <T> T checked(String property, Supplier<T> make) {
    try {
      return make.get();
    } catch (WrongPropertyException known) {
      throw known;
    } catch (IllegalArgumentException wrong) {
      throw new WrongPropertyException(property, String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
