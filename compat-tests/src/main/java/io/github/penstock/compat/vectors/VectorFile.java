package io.github.penstock.compat.vectors;

import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;

/**
 * The vectors of one script.
 *
 * @param script the name of the script
 * @param sequences independent sequences of calls
 */
public record VectorFile(String script, List<VectorSequence> sequences) {
  /** Copies the list and checks that no two sequences have one name. */
  public VectorFile {
    sequences = List.copyOf(sequences);
    if (sequences.stream().map(VectorSequence::name).distinct().count() < sequences.size()) {
      throw new IllegalArgumentException("name must be that of one sequence of " + script);
    }
  }

  /** The vectors of a script of the protocol, as they come with this library. */
  public static VectorFile of(ScriptAlgorithm script) {
    return VectorJson.read(script.scriptName() + ".json", VectorFile.class);
  }

  /** The vectors of a drop-in, as they come with this library. */
  public static VectorFile of(DropInScript script) {
    return VectorJson.read("drop-in/" + script.scriptName() + ".json", VectorFile.class);
  }
}
