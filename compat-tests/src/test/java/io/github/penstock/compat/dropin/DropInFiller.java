package io.github.penstock.compat.dropin;

import io.github.penstock.compat.vectors.SecondKey;
import io.github.penstock.compat.vectors.VectorFiller;
import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.compat.vectors.VectorStep;
import io.github.penstock.scripts.DropInScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Fills in the vectors of the drop-ins, as {@link VectorFiller} does those of the scripts. */
public final class DropInFiller {
  private DropInFiller() {}

  /** Fills in all files; the only argument is the directory. */
  public static void main(String[] arguments) throws IOException {
    for (DropInScript script : DropInScript.values()) {
      Path file = Path.of(arguments[0], script.scriptName() + ".json");
      Files.writeString(file, filled(Files.readString(file), script));
    }
  }

  /** The text of the file of a drop-in, with what its model expects. */
  static String filled(String json, DropInScript script) {
    return VectorFiller.filled(json, sequence -> played(script, sequence));
  }

  private static VectorSequence played(DropInScript script, VectorSequence sequence) {
    DropInSequence calls = new DropInSequence(script, sequence.name());
    for (VectorStep step : sequence.steps()) {
      SecondKey second = step.second();
      calls
          .keys(step.keys())
          .before(step.before(), second == null ? null : second.before())
          .raw(step.arguments());
    }
    return calls.build(sequence.origin());
  }
}
