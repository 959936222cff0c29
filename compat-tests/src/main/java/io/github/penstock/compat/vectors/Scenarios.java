package io.github.penstock.compat.vectors;

import io.github.penstock.compat.model.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sequences in the making, each a name and what happens. Not safe for use by several threads. */
final class Scenarios {
  private final Algorithm algorithm;
  private final List<Sequence> sequences = new ArrayList<>();

  Scenarios(Algorithm algorithm) {
    this.algorithm = algorithm;
  }

  Algorithm algorithm() {
    return algorithm;
  }

  boolean isWindow() {
    return algorithm == Algorithm.FIXED_WINDOW;
  }

  /** Adds a sequence whose expectations the model computes. */
  void add(String name, UnaryOperator<SequenceBuilder> play) {
    sequences.add(play.apply(new SequenceBuilder(algorithm, name)).build());
  }

  /** Adds a finished sequence. */
  void add(Sequence sequence) {
    sequences.add(sequence);
  }

  VectorFile file() {
    return new VectorFile(algorithm, sequences);
  }
}
