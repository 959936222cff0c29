package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the vector files into a directory: the sequences are chosen here, what is expected of them
 * comes from the model.
 *
 * <p>After a change of the protocol: {@code mvn -q -pl compat-tests -am test-compile exec:java
 * -Dexec.mainClass=io.github.penstock.compat.vectors.VectorGenerator -Dexec.args=lua/vectors}.
 * Reading the difference is the review.
 */
public final class VectorGenerator {
  private VectorGenerator() {}

  /** Writes all files; the only argument is the directory. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("arguments must be one directory");
    }
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, String> file : files().entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
  }

  /** The text of every file, by its name. */
  static Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    for (ScriptAlgorithm algorithm : ScriptAlgorithm.values()) {
      files.put(algorithm.scriptName() + ".json", VectorWriter.text(scenarios(algorithm).file()));
    }
    files.put("keys.json", VectorWriter.keys(KeyScenarios.all()));
    return files;
  }

  private static SequenceScenarios scenarios(ScriptAlgorithm algorithm) {
    SequenceScenarios scenarios = new SequenceScenarios(algorithm);
    HandScenarios.addTo(scenarios);
    switch (algorithm) {
      case FIXED_WINDOW -> WindowScenarios.addTo(scenarios);
      case SLIDING_WINDOW -> SlidingScenarios.addTo(scenarios);
      case TOKEN_BUCKET, LEAKY_BUCKET -> BucketScenarios.addTo(scenarios);
      case INTERVAL_BUCKET -> IntervalScenarios.addTo(scenarios);
    }
    SeveralCallsScenarios.addTo(scenarios);
    ByOneScenarios.addTo(scenarios);
    StateScenarios.addTo(scenarios);
    ArgumentScenarios.addTo(scenarios);
    return scenarios;
  }
}
