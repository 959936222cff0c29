package io.github.penstock.lua.maven.source;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An include in one of its places. Two places are never the same, so instances are compared by
 * identity.
 */
public final class IncludeUse {
  private final IncludeFile file;
  private final LineOrigin place;
  private final @Nullable IncludeUse around;
  private final Map<String, List<TextPiece>> arguments;

  IncludeUse(
      IncludeFile file,
      LineOrigin place,
      @Nullable IncludeUse around,
      Map<String, List<TextPiece>> arguments) {
    this.file = file;
    this.place = place;
    this.around = around;
    this.arguments = arguments;
  }

  /** The include. */
  public IncludeFile file() {
    return file;
  }

  /** The line that asks for it. */
  public LineOrigin place() {
    return place;
  }

  /** The include that asks for it; null if the script itself does. */
  @Nullable IncludeUse around() {
    return around;
  }

  /** The text for a parameter; null if it has no such parameter, or was given no text for it. */
  @Nullable List<TextPiece> argument(String parameter) {
    return arguments.get(parameter);
  }

  /** Returns whether this is an include, or is nested in it. */
  boolean within(IncludeUse include) {
    return this == include || around != null && around.within(include);
  }
}
