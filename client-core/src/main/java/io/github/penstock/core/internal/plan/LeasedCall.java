package io.github.penstock.core.internal.plan;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall.Kind;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.near.SubjectLease;
import io.github.penstock.core.internal.near.SubjectLease.LeaseRefill;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.spi.ScriptCall;
import org.jspecify.annotations.Nullable;

/**
 * A call for units of a limiter with leases: it is granted held units, waits for another call that
 * takes a lease, or goes to the server, possibly for more than its own cost. For one thread at a
 * time.
 */
public final class LeasedCall implements ReplyReader<Decision> {
  private final LimitPolicy policy;
  private final OutcomeReaders readers;
  private final SubjectLease lease;
  private final ScriptCall alone;
  private final String subject;
  private final long cost;
  private final ReplyReader<Decision> reading;
  private long calls = 1;
  private boolean patient = true;
  private boolean waited;
  private @Nullable LeaseRefill own;
  private @Nullable LeaseRefill other;

  /**
   * A call.
   *
   * @param alone the call for its own cost
   */
  public LeasedCall(
      LimitPolicy policy,
      OutcomeReaders readers,
      SubjectLease lease,
      ScriptCall alone,
      String subject,
      long cost) {
    this.policy = policy;
    this.readers = readers;
    this.lease = lease;
    this.alone = alone;
    this.subject = subject;
    this.cost = cost;
    reading = readers.decisions(subject, cost);
  }

  /** Returns the decision if it can be made here; else this must wait or be sent. */
  @Nullable Decision decide() {
    Decision held = lease.handOut(cost);
    if (held != null) {
      readers.publish(Kind.ACQUIRE, subject, cost, alone, held);
      return held;
    }
    Decision known = readers.known(alone, subject, cost);
    if (known != null) {
      return known;
    }
    calls = patient ? lease.callsToTake(cost) : 1;
    own = calls > 1 ? lease.begin() : null;
    other = calls > 1 && own == null ? lease.taking() : null;
    return null;
  }

  /** Returns whether another call takes a lease at the moment, or has just taken one. */
  public boolean mustWait() {
    return calls > 1 && own == null;
  }

  /** The call that this waits for; null if it has ended. */
  public @Nullable LeaseRefill other() {
    return other;
  }

  /** Waits for it, until the deadline; an interrupted caller's call goes to the server alone. */
  public void await() {
    if (other == null) {
      return;
    }
    boolean again = waited;
    waited = true;
    try {
      if (!other.await(alone.deadlineNanos(), again)) {
        waitNoMore();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      waitNoMore();
    }
  }

  /** No longer waits: if it takes no lease itself, the next call need not wait either. */
  public void waitedEnough() {
    if (waited && own == null) {
      lease.wakeNext();
    }
  }

  /** From now on this call takes no lease, and waits for none. */
  public void waitNoMore() {
    patient = false;
  }

  public long deadlineNanos() {
    return alone.deadlineNanos();
  }

  /** The call to send: for itself alone where another call takes a lease. */
  public ScriptCall toSend() {
    return own == null ? alone : alone.several(calls);
  }

  @Override
  public boolean isForUnits() {
    return true;
  }

  @Override
  public Decision answered(ScriptCall call, @Nullable Object reply) {
    if (own == null) {
      Decision decision = reading.answered(call, reply);
      lease.asked(cost, decision);
      return decision;
    }
    try {
      AcquiredUnits acquired = ReplyDecoder.acquired(call, reply, calls);
      Decision decision = lease.taken(cost, acquired, readers.sentNanos(call));
      readers.remember(call, cost, decision);
      readers.publish(Kind.ACQUIRE, subject, cost, call, decision);
      return decision;
    } finally {
      end();
    }
  }

  @Override
  public Decision failed(ScriptCall call, CallFailure failure) {
    end();
    return reading.failed(call, failure);
  }

  @Override
  public void abandoned(ScriptCall call) {
    end();
  }

  /** Lets others continue, whatever the outcome. */
  public void end() {
    if (own != null) {
      own.end();
    }
  }
}
