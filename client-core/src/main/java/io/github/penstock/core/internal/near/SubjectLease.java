package io.github.penstock.core.internal.near;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The units of one subject that this process holds (rules L1 to L8). Safe for use by several
 * threads, without a lock.
 *
 * <p>A caller first requests held units ({@link #handOut}). If there are none, {@link #callsToTake}
 * says how many calls of its cost should be asked for at once. If one, it goes to the server alone
 * and reports that by {@link #asked}. If more, it requests that many if it may {@link #begin} a
 * lease; otherwise it waits until {@link #taking} has ended and starts over.
 */
public final class SubjectLease {
  /**
   * A lease takes no more than this part of the remaining units, so that others remain for other
   * processes.
   */
  private static final long PART = 8;

  /** A thousandth less than a microsecond: our clock may differ by that from the server's. */
  private static final long SURE_NANOS_PER_MICRO = 999;

  private final LeaseTable table;
  private final int hash;
  private final byte[] key;
  private final Limit limit;
  private final LeaseTerms terms;
  private final UnitMeter meter;
  private final AtomicReference<@Nullable LeasedUnits> held = new AtomicReference<>();
  private final AtomicReference<@Nullable LeaseRefill> taking = new AtomicReference<>();
  private final LeaseQueue line;
  private final AtomicLong droppedNanos;
  private volatile long lastRemaining;

  SubjectLease(LeaseTable table, int hash, byte[] key, Limit limit, LeaseTerms terms) {
    line = new LeaseQueue(table.time());
    this.table = table;
    this.hash = hash;
    this.key = key;
    this.limit = limit;
    this.terms = terms;
    meter = new UnitMeter(terms.atMost().toNanos() / 2);
    droppedNanos = new AtomicLong(table.nanos() - 1);
  }

  /** The decision of a call for which enough units are held, or null. */
  public @Nullable Decision handOut(long cost) {
    LeasedUnits parcel = held.get();
    if (parcel == null || parcel.left() < cost) {
      return null;
    }
    long now = table.nanos();
    long left = isAlive(parcel, now) ? parcel.take(cost) : -1;
    if (left < 0) {
      return null;
    }
    meter.add(cost, now);
    table.counts().used().add(cost);
    return parcel.handedOut(left, now);
  }

  /**
   * Returns the number of calls of this cost to request in one (rule L5): as many as were taken
   * here recently, but no more than the terms allow, nor than an eighth of the remaining units.
   * While units are held that serve other calls, a greater cost goes to the server alone.
   */
  public long callsToTake(long cost) {
    if (cost > terms.most() || serves()) {
      return 1;
    }
    long taken = Math.min(meter.taken(table.nanos()), terms.most());
    return Math.max(1, Math.min(taken, lastRemaining / PART) / cost);
  }

  /**
   * Begins to take a lease; null if another call is taking one, or has just ended and holds units.
   */
  public @Nullable LeaseRefill begin() {
    LeaseRefill mine = new LeaseRefill();
    if (!taking.compareAndSet(null, mine)) {
      return null;
    }
    if (serves()) {
      mine.end();
      return null;
    }
    return mine;
  }

  /** The taking that is under way, if any. */
  public @Nullable LeaseRefill taking() {
    return taking.get();
  }

  /**
   * The one call that takes a lease of this subject, while others of the process wait for it (rule
   * L8). The caller that began it must end it, however the call ends.
   */
  public final class LeaseRefill {
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    private LeaseRefill() {}

    /** Lets the others continue. Ending it again has no effect. */
    public void end() {
      taking.compareAndSet(this, null);
      if (ended.complete(null)) {
        wakeNext();
      }
    }

    /**
     * Waits until this has ended and it is this thread's turn; false if that was too soon. A caller
     * that leaves wakes the next ({@link #wakeNext}) once it has stopped waiting.
     *
     * @param untilNanos until when to wait
     * @param again whether this thread has waited before, for the same call
     */
    public boolean await(long untilNanos, boolean again) throws InterruptedException {
      return line.await(ended::isDone, untilNanos, again);
    }

    /** Completes when this has ended, for asynchronous waiters. */
    public CompletableFuture<@Nullable Void> ending() {
      return ended;
    }
  }

  /** Wakes the next of the threads that wait for a taking, if any. */
  public void wakeNext() {
    line.wakeNext();
  }

  /** A call for itself alone was answered by the server. */
  public void asked(long cost, Decision answer) {
    lastRemaining = answer.remaining();
    if (answer.allowed()) {
      meter.add(cost, table.nanos());
    }
  }

  /**
   * The server has answered a taking: the caller has its own units, and the rest is held (rule L1).
   *
   * @param cost the cost of each call
   * @param acquired how many calls of that cost were admitted
   * @param sentNanos a time before the call was sent
   * @return the caller's answer
   */
  public Decision taken(long cost, AcquiredUnits acquired, long sentNanos) {
    Decision answer = acquired.decision();
    asked(cost, answer);
    long more = answer.allowed() ? (acquired.units() - 1) * cost : 0;
    if (more == 0) {
      return answer;
    }
    table.counts().leased().add(more);
    long life = lifeNanos(answer.resetMicros());
    LeasedUnits before = held.getAndSet(new LeasedUnits(more, cost, answer, sentNanos, life));
    if (before != null) {
      table.counts().expired().add(before.takeAll());
    }
    return new Decision(
        true,
        answer.limit(),
        answer.remaining() + more,
        answer.waitMicros(),
        answer.resetMicros(),
        answer.tier(),
        DecisionSource.SERVER);
  }

  /*
   * How long units live from before they were asked for: as agreed, and in a window no longer than
   * the window in which they were charged (rules L2 and L3).
   */
  private long lifeNanos(long resetMicros) {
    long leftMicros =
        switch (limit.kind().refill()) {
          case AT_END -> resetMicros;
          case FADING -> resetMicros - limit.tiers().get(0).periodMicros();
          case EVENLY, IN_BATCHES -> Long.MAX_VALUE;
        };
    long micros = Math.min(TimeUnit.MICROSECONDS.convert(terms.atMost()), leftMicros);
    return micros * SURE_NANOS_PER_MICRO;
  }

  boolean isOf(int otherHash, byte[] otherKey) {
    return hash == otherHash && Arrays.equals(key, otherKey);
  }

  boolean isOf(int otherHash, byte[] otherKey, Limit otherLimit, LeaseTerms otherTerms) {
    return isOf(otherHash, otherKey) && limit.equals(otherLimit) && terms.equals(otherTerms);
  }

  /** Units charged by a call that was sent until now are no longer granted. */
  void drop(long nowNanos) {
    droppedNanos.accumulateAndGet(nowNanos, (last, now) -> now - last > 0 ? now : last);
  }

  /** Returns whether nothing is lost if another subject takes this one's place. */
  boolean isIdle(long nowNanos) {
    LeasedUnits parcel = held.get();
    boolean holds = parcel != null && parcel.left() > 0 && isAlive(parcel, nowNanos);
    return !holds && taking.get() == null && meter.isIdle(nowNanos);
  }

  /** Counts the remaining units as expired, because this has lost its place. */
  void dismissed() {
    LeasedUnits parcel = held.get();
    if (parcel != null) {
      table.counts().expired().add(parcel.takeAll());
    }
  }

  /* Whether calls of the cost for which units were taken find some. */
  private boolean serves() {
    LeasedUnits parcel = held.get();
    return parcel != null && parcel.serves() && isAlive(parcel, table.nanos());
  }

  private boolean isAlive(LeasedUnits parcel, long nowNanos) {
    long sent = parcel.sentNanos();
    return !parcel.isOver(nowNanos) && sent - droppedNanos.get() > 0 && table.steadySince(sent);
  }
}
