package io.github.penstock.core.internal.near;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The one call that takes a lease of a subject, while others of the process wait for it (rule L8).
 * The caller that began it must end it, however the call ends.
 */
public final class LeaseRefill {
  private final SubjectLease lease;
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

  LeaseRefill(SubjectLease lease) {
    this.lease = lease;
  }

  /** Lets the others continue. Ending it again has no effect. */
  public void end() {
    lease.ended(this);
    if (ended.complete(null)) {
      lease.wakeNext();
    }
  }

  /**
   * Waits until this has ended and it is this thread's turn; false if that was too soon. A caller
   * that leaves wakes the next ({@link SubjectLease#wakeNext}) once it has stopped waiting.
   *
   * @param untilNanos until when to wait
   * @param again whether this thread has waited before, for the same call
   */
  public boolean await(long untilNanos, boolean again) throws InterruptedException {
    return lease.line().await(ended::isDone, untilNanos, again);
  }

  /** Completes when this has ended, for asynchronous waiters. */
  public CompletableFuture<@Nullable Void> ending() {
    return ended;
  }
}
