package io.github.penstock.core.internal.node;

import org.jspecify.annotations.Nullable;

/** The meaning of the exceptions of a check. */
public interface CheckMeanings {
  /**
   * Returns the verdict that follows from an answer: an outage if the server says that it cannot
   * serve calls. Null if the server did not answer.
   */
  @Nullable LateVerdict answer(RuntimeException thrown);

  /** Returns the verdict on a connection that could not be made; null if the server was silent. */
  @Nullable LateVerdict refusal(RuntimeException thrown);

  /**
   * Returns whether a connection could not be made because nothing listens at the address, or the
   * client through which checks go is not connected.
   */
  boolean isUnreachable(RuntimeException thrown);
}
