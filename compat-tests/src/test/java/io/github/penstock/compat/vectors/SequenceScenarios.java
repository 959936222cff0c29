package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sequences in the making, each a name and what happens. Not safe for use by several threads. */
final class SequenceScenarios {
  private final ScriptAlgorithm algorithm;
  private final List<VectorSequence> sequences = new ArrayList<>();

  SequenceScenarios(ScriptAlgorithm algorithm) {
    this.algorithm = algorithm;
  }

  ScriptAlgorithm algorithm() {
    return algorithm;
  }

  boolean isWindow() {
    return algorithm.isWindow();
  }

  /** Adds a sequence whose expectations the model computes. */
  void add(String name, UnaryOperator<SequenceBuilder> play) {
    sequences.add(play.apply(new SequenceBuilder(algorithm, name)).build());
  }

  /** Adds a finished sequence. */
  void add(VectorSequence sequence) {
    sequences.add(sequence);
  }

  VectorFile file() {
    return new VectorFile(algorithm.scriptName(), sequences);
  }
}
