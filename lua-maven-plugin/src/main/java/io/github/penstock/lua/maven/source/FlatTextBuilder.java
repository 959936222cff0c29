package io.github.penstock.lua.maven.source;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Puts a flat script together, line by line. */
final class FlatTextBuilder {
  private final StringBuilder text = new StringBuilder();
  private final List<LineOrigin> origins = new ArrayList<>();
  private final TreeMap<Integer, TextOwner> owners = new TreeMap<>();

  FlatTextBuilder() {
    owners.put(0, TextOwner.of(null));
  }

  /** Adds a line that was written at a place and is made of pieces. */
  void line(List<TextPiece> pieces, LineOrigin place) {
    for (TextPiece piece : pieces) {
      owners.put(text.length(), piece.owner());
      text.append(piece.text());
    }
    text.append('\n');
    origins.add(place);
  }

  FlatScript build(List<IncludeUse> includes) {
    return new FlatScript(text.toString(), List.copyOf(origins), owners, List.copyOf(includes));
  }
}
