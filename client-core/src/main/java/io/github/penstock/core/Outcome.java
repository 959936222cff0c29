package io.github.penstock.core;

/**
 * The result of one call of a batch: a {@link Decided decision} or a {@link Failed failure}.
 * Immutable.
 */
public sealed interface Outcome {
  /** The subject of the call, as the caller gave it. */
  String subject();

  /**
   * The decision.
   *
   * @throws RuntimeException the failure, as the call would have thrown it by itself
   */
  Decision decision();

  /**
   * The call was decided.
   *
   * @param subject whom it was for
   * @param decision what was decided
   */
  record Decided(String subject, Decision decision) implements Outcome {}

  /**
   * The call failed; that did not affect the others of the batch.
   *
   * @param subject whom it was for
   * @param failure what the call would have thrown by itself
   */
  record Failed(String subject, RuntimeException failure) implements Outcome {
    @Override
    public Decision decision() {
      throw failure;
    }
  }
}
