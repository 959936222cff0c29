package io.github.penstock.core.internal.node;

import org.jspecify.annotations.Nullable;

/** Receives the changes of the verdict on a node. */
public interface VerdictListener {
  /**
   * The verdict has changed; OVERLOADED is that of a node that answers.
   *
   * @param node the name of the node
   * @param before the verdict before
   * @param lastedNanos how long that lasted
   * @param refusal the reason for REFUSED
   */
  void changed(
      Object node,
      LateVerdict now,
      LateVerdict before,
      long lastedNanos,
      @Nullable RuntimeException refusal);
}
