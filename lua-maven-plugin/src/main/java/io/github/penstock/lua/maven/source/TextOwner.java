package io.github.penstock.lua.maven.source;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines the origin of a piece of a script's text: the script or an include. Text that was
 * passed to a parameter belongs to the caller that passed it.
 *
 * @param writer the include; null for the script itself
 * @param parameters the includes that got it as the text of a parameter, with that parameter's name
 */
public record TextOwner(@Nullable IncludeUse writer, Map<IncludeUse, String> parameters) {
  static TextOwner of(@Nullable IncludeUse writer) {
    return new TextOwner(writer, Map.of());
  }

  /** The owner of the same text after it was handed to a parameter. */
  TextOwner handedTo(IncludeUse include, String parameter) {
    Map<IncludeUse, String> more = new HashMap<>(parameters);
    more.put(include, parameter);
    return new TextOwner(writer, more);
  }

  /** Returns whether an include, or one nested in it, wrote the text. */
  public boolean within(IncludeUse include) {
    return writer != null && writer.within(include);
  }

  /** The parameter as whose text an include got it; null if it did not. */
  public @Nullable String parameter(IncludeUse include) {
    return parameters.get(include);
  }
}
