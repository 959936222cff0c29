package io.github.penstock.core;

/**
 * The end of one call of a batch: a {@link Decided decision} or a {@link Failed failure}.
 * Immutable.
 */
public sealed interface Outcome {
  /** Whom the call was for, as it was given. */
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
   * The call failed; the others of the batch did not fail because of it.
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
