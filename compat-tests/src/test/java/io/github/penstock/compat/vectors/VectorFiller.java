package io.github.penstock.compat.vectors;

import io.github.penstock.compat.reservation.ReservationFiller;
import io.github.penstock.compat.vectors.VectorSequence.Origin;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Fills in what is expected in the vector files of a directory, from the model. The calls are
 * chosen in the files; a step may have nothing but {@code keys} and {@code args}.
 *
 * <p>{@code mvn -q -pl compat-tests -am test-compile exec:java
 * -Dexec.mainClass=io.github.penstock.compat.vectors.VectorFiller -Dexec.args=lua/vectors}. Reading
 * the difference is the review.
 */
public final class VectorFiller {
  private VectorFiller() {}

  /** Fills in all files; the only argument is the directory. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    for (ScriptAlgorithm script : ScriptAlgorithm.values()) {
      Path file = directory.resolve(script.scriptName() + ".json");
      Files.writeString(file, filled(Files.readString(file), script));
    }
    Path keys = directory.resolve("keys.json");
    Files.writeString(keys, keys(Files.readString(keys)));
    Path calls = directory.resolve("calls.json");
    Files.writeString(calls, CallFiller.filled(Files.readString(calls)));
    Path reservations = directory.resolve("reservation.json");
    Files.writeString(reservations, ReservationFiller.filled(Files.readString(reservations)));
  }

  /** The text of a file of the protocol's script, with what its model expects. */
  static String filled(String json, ScriptAlgorithm script) {
    return filled(json, sequence -> played(script, sequence));
  }

  /**
   * The text of a file with what a model expects.
   *
   * @param model plays the calls of a sequence
   * @throws IllegalStateException if the model differs from what was computed by hand, which is
   *     never filled in
   */
  public static String filled(String json, UnaryOperator<VectorSequence> model) {
    VectorFile file = VectorJson.parse(json, VectorFile.class);
    List<VectorSequence> sequences = new ArrayList<>();
    for (VectorSequence sequence : file.sequences()) {
      VectorSequence played = model.apply(sequence);
      if (sequence.origin() == Origin.HAND && !played.equals(sequence)) {
        throw new IllegalStateException(
            "%s: the model does not expect what was computed by hand: %s"
                .formatted(sequence.name(), played));
      }
      sequences.add(played);
    }
    return VectorWriter.text(new VectorFile(file.script(), sequences));
  }

  private static VectorSequence played(ScriptAlgorithm script, VectorSequence sequence) {
    ModelStore store = new ModelStore();
    List<VectorStep> steps = new ArrayList<>();
    for (VectorStep step : sequence.steps()) {
      if (step.before() != null) {
        store.put(step.inspectedKey(), step.before());
      }
      ExpectedOutcome outcome = store.call(script, step.keys(), step.arguments());
      ExpectedOutcome seen =
          new ExpectedOutcome(
              outcome.reply(), outcome.error(), outcome.written(), store.get(step.inspectedKey()));
      steps.add(new VectorStep(step.before(), step.keys(), step.arguments(), seen));
    }
    return new VectorSequence(sequence.name(), sequence.origin(), steps);
  }

  /** The text of the file of keys, with the key or the error of each example. */
  static String keys(String json) {
    return VectorWriter.keys(KeyExample.all(json).stream().map(VectorFiller::named).toList());
  }

  private static KeyExample named(KeyExample of) {
    byte[] subject = HexFormat.of().parseHex(of.subjectHex());
    String key = null;
    String error = null;
    try {
      key = KeyNames.key(of.prefix(), of.policy(), subject, of.script(), of.tiers());
    } catch (IllegalArgumentException bad) {
      error = String.valueOf(bad.getMessage()).split(" ")[0];
    }
    return new KeyExample(
        of.prefix(), of.policy(), of.subjectHex(), of.script(), of.tiers(), key, error);
  }
}
