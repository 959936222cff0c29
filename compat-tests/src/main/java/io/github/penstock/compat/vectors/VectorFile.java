package io.github.penstock.compat.vectors;

import io.github.penstock.compat.model.Algorithm;
import java.util.List;

/**
 * The vectors of one script.
 *
 * @param script which script
 * @param sequences independent sequences of calls
 */
public record VectorFile(Algorithm script, List<Sequence> sequences) {
  /** Copies the list and checks that no two sequences have one name. */
  public VectorFile {
    sequences = List.copyOf(sequences);
    if (sequences.stream().map(Sequence::name).distinct().count() < sequences.size()) {
      throw new IllegalArgumentException("name must be that of one sequence of " + script);
    }
  }

  /** The vectors that come with this library. */
  public static VectorFile of(Algorithm script) {
    return VectorJson.read(VectorResources.text(script.scriptName() + ".json"));
  }
}
