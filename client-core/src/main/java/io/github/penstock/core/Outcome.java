package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * The result of one call of a batch: a {@link Decided decision} or a {@link Failed failure}.
 * Immutable.
 */
public sealed interface Outcome {
  /** Returns the subject of the call, as the caller passed it. */
  String subject();

  /**
   * Returns the decision.
   *
   * @throws RuntimeException if the call failed: the exception that a single call would have thrown
   */
  Decision decision();

  /**
   * Returns the exception that a single call would have thrown, or null if the call was decided.
   */
  @Nullable RuntimeException failure();

  /**
   * A call that was decided.
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
   * A call that failed; the other calls of the batch are not affected.
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
