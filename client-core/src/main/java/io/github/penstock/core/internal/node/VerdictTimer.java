package io.github.penstock.core.internal.node;

import java.util.Comparator;

/** Something that is due in {@link NodeVerdict}. */
abstract sealed class VerdictTimer
    permits TimedCall, NodeVerdict.CheckTimer, NodeVerdict.SuspectTimer {
  static final Comparator<VerdictTimer> BY_TIME =
      Comparator.comparingLong((VerdictTimer timer) -> timer.dueNanos)
          .thenComparingLong(timer -> timer.order);

  /** Its kind. */
  enum Due {
    /** A call whose half time has passed. */
    HALF,
    /** A call whose deadline has passed. */
    DEADLINE,
    /** A call that ends now in any case. */
    BOUND,
    /** A call whose connection may be silent. */
    SUSPECT,
    /** The first connection for the check. */
    CONNECT,
    /** Another connection for the check. */
    AGAIN,
    /** The turn of a check's reader, if it has not come. */
    TURN,
    /** The silence of a check. */
    SILENCE,
    /** A time without calls. */
    IDLE
  }

  Due due = Due.HALF;
  long dueNanos;
  long order;

  /** Returns whether it is for a call that has ended. */
  boolean isSpent() {
    return false;
  }
}
