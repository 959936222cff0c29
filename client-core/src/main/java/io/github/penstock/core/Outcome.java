package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * The result of one call of a batch: a {@link Decided decision} or a {@link Failed failure}.
 * Immutable.
 */
public sealed interface Outcome {
  /** The subject of the call, as the caller passed it. */
  String subject();

  /**
   * The decision.
   *
   * @throws RuntimeException the failure, as a single call would have thrown it
   */
  Decision decision();

  /** The exception that a single call would have thrown; null if the call was decided. */
  @Nullable RuntimeException failure();

  /**
   * The call was decided.
   *
   * @param subject the subject of the call
   * @param decision the decision about the call
   */
  record Decided(String subject, Decision decision) implements Outcome {
    @Override
    public @Nullable RuntimeException failure() {
      return null;
    }
  }

  /**
   * The call failed; the others of the batch are not affected.
   *
   * @param subject the subject of the call
   * @param failure the exception that a single call would have thrown
   */
  record Failed(String subject, RuntimeException failure) implements Outcome {
    @Override
    public Decision decision() {
      throw failure;
    }
  }
}
