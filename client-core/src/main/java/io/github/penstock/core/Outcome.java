package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * The result of one call of a batch, either a {@link Decided decision} or a {@link Failed failure}.
 * Immutable.
 */
public sealed interface Outcome {
  /** Returns the subject of the call, as the caller passed it. */
  String subject();

  /**
   * Returns the decision.
   *
   * @throws RuntimeException if the call failed; a single call would throw the same exception
   */
  Decision decision();

  /** Returns the exception of a failed call, or null if the call has a decision. */
  @Nullable RuntimeException failure();

  /**
   * The outcome of a call that has a decision.
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
   * The outcome of a call that failed. The other calls of the batch are not affected.
   *
   * @param subject the subject of the call
   * @param failure the exception, which is the same as for a single call
   */
  record Failed(String subject, RuntimeException failure) implements Outcome {
    @Override
    public Decision decision() {
      throw failure;
    }
  }
}
