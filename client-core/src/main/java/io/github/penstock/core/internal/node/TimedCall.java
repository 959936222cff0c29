package io.github.penstock.core.internal.node;

import org.jspecify.annotations.Nullable;

/** A call in flight to a checked node. Its fields are guarded by the node's lock. */
public final class TimedCall extends VerdictTimer {
  final long begunNanos;
  final long halfNanos;
  final long deadlineNanos;

  /** The connection that carries it; null if that is given up with the call. */
  final @Nullable Object connection;

  @Nullable CheckedNode node;
  @Nullable LateVerdict verdict;

  /** Whether too many others were in flight when it began. */
  boolean refused;

  /** Whether its node was doubtful when it began. */
  boolean doubtful;

  /** Whether its node was silent when it began. */
  boolean silent;

  /** Whether its verdict came before there was a check. */
  boolean unchecked;

  /** Called once the verdict is known; null if nobody waits for it. */
  @Nullable Runnable waiter;

  TimedCall(long nowNanos, long deadlineNanos, @Nullable Object connection) {
    begunNanos = nowNanos;
    halfNanos = nowNanos + (long) ((deadlineNanos - nowNanos) * ClientNumbers.VERDICT_ASKS_AT);
    this.deadlineNanos = deadlineNanos;
    this.connection = connection;
  }

  @Override
  boolean isSpent() {
    return verdict != null;
  }

  private CheckedNode node() {
    CheckedNode own = node;
    if (own == null) {
      throw new IllegalStateException("this call is not for a checked node");
    }
    return own;
  }

  /** Returns whether it must not be sent, as too many calls are in flight: it is late already. */
  public boolean isRefused() {
    return refused;
  }

  /** Returns whether {@link #opens} must be asked before a connection is opened for it. */
  public boolean isDoubtful() {
    return doubtful;
  }

  /** Returns whether its node was silent when it began. */
  public boolean isSilent() {
    return silent;
  }

  /**
   * Returns whether its client may open a connection for it now, and assumes that it does: while
   * the node does not answer a check, calls open one, and one after each answer.
   */
  public boolean opens() {
    return node().opens();
  }

  /** The server answered it. */
  public void answered() {
    answered(LateVerdict.OVERLOADED);
  }

  /** The server answered it by an error: an outage if that says that it cannot serve calls. */
  public void answered(LateVerdict says) {
    node().answered(this, says);
  }

  /**
   * It ended by itself: it was cancelled, or failed for a reason other than its deadline. Returns
   * the verdict on it at this time, which is an outage only while the node is silent.
   */
  public LateVerdict leave() {
    return node().leave(this);
  }

  /** Waits for the verdict on it, as it is late; an interrupt ends the wait. */
  public LateVerdict await() {
    return node().await(this);
  }

  /**
   * Returns whether the verdict on it is known, as it is late; if not, {@code then} is run once it
   * is, by a thread that must not be kept.
   */
  public boolean isJudged(Runnable then) {
    return node().isJudged(this, then);
  }

  /** Returns whether the verdict is that of a node that was not checked yet. */
  public boolean isUnchecked() {
    return unchecked;
  }

  /** The exception of a {@link LateVerdict#REFUSED refused} connection for the check. */
  public @Nullable RuntimeException refusal() {
    return node().refusal();
  }
}
