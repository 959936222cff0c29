package io.github.penstock.local.internal;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.near.LastDenial;
import io.github.penstock.core.limit.LimitKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one limit by one subject. Calls take only the lock of this object. A call returns
 * null once this object was dropped, and must be repeated on its replacement.
 *
 * <p>The lock is one compare-and-set, because a monitor costs two, which is a fifth of a decision.
 * It is held only for some additions and divisions, so a thread that finds it taken spins, and then
 * yields.
 */
public final class SubjectUse {
  private static final long NEVER_US = Long.MAX_VALUE;
  private static final int SPINS = 64;
  private static final VarHandle HELD = held();
  private volatile boolean held;
  private final boolean isPlain;
  private final SubjectTier[] tiers;
  private long lastUs;
  private long unusedUs;
  private boolean dropped;
  private int deciding;
  private long waitUs;

  /**
   * An unused subject.
   *
   * @param name its name in keys
   */
  SubjectUse(String name, LimitKind kind, TierTerms[] terms) {
    isPlain = name.indexOf('%') < 0;
    tiers = new SubjectTier[terms.length];
    for (int i = 0; i < tiers.length; i++) {
      tiers[i] = SubjectTier.unused(kind, terms[i]);
    }
  }

  /** Returns whether the subject equals its stored name, because no character needed encoding. */
  boolean isPlain() {
    return isPlain;
  }

  /** Takes a call's units if they fit every tier. */
  public @Nullable Decision charge(TierTerms[] terms, long cost, long nowUs) {
    lock();
    try {
      return dropped ? null : decision(decide(terms, cost, 1, later(nowUs)));
    } finally {
      unlock();
    }
  }

  /** Takes the units of as many of {@code calls} calls as fit. */
  @Nullable AcquiredUnits chargeSeveral(TierTerms[] terms, long cost, long calls, long nowUs) {
    return chargeSeveral(terms, cost, calls, nowUs, null);
  }

  /**
   * The variant for a subject that may start with less than the full limit.
   *
   * @param denial the initial state of an unused subject; null for the full limit
   */
  @Nullable AcquiredUnits chargeSeveral(
      TierTerms[] terms, long cost, long calls, long nowUs, @Nullable LastDenial denial) {
    lock();
    try {
      if (dropped) {
        return null;
      }
      long laterUs = later(nowUs);
      if (denial != null && laterUs >= unusedUs) {
        begin(denial, laterUs);
      }
      long granted = decide(terms, cost, calls, laterUs);
      return new AcquiredUnits(granted, decision(granted));
    } finally {
      unlock();
    }
  }

  /** Returns the current usage without storing it. */
  @Nullable Usage peek(TierTerms[] terms, long nowUs) {
    lock();
    try {
      if (dropped) {
        return null;
      }
      look(terms, later(nowUs));
      return usage();
    } finally {
      unlock();
    }
  }

  /** Refunds units to every tier. */
  @Nullable Usage refund(TierTerms[] terms, long units, long nowUs) {
    lock();
    try {
      if (dropped) {
        return null;
      }
      giveBack(terms, units, later(nowUs));
      return usage();
    } finally {
      unlock();
    }
  }

  /**
   * Answers a call like a script, at the time that the caller passes, which may step back.
   *
   * @param cost units; 0 peeks, negative refunds
   * @param calls the number of calls, 1 for a peek and a refund
   * @return the six integers
   */
  long[] call(TierTerms[] terms, long cost, long calls, long nowUs) {
    lock();
    try {
      long granted = 1;
      if (cost > 0) {
        granted = decide(terms, cost, calls, nowUs);
      } else if (cost == 0) {
        look(terms, nowUs);
      } else {
        giveBack(terms, -cost, nowUs);
      }
      SubjectTier tier = tiers[deciding];
      return new long[] {
        granted, tier.terms.limit, tier.remaining, waitUs, tier.resetUs, deciding + 1
      };
    } finally {
      unlock();
    }
  }

  /** Stores the numbers of all tiers. Requires exclusive access. */
  void load(long[] numbers) {
    for (int i = 0; i < tiers.length; i++) {
      tiers[i].load(numbers, i * SubjectTier.NUMBERS);
    }
  }

  /** The stored numbers. Requires exclusive access. */
  void store(long[] numbers) {
    for (int i = 0; i < tiers.length; i++) {
      tiers[i].store(numbers, i * SubjectTier.NUMBERS);
    }
  }

  /** The time at which all tiers are unused, as of the last stored call. */
  long unusedUs() {
    return unusedUs;
  }

  /** Returns whether it is unused and therefore was dropped. */
  boolean drop(long nowUs) {
    if (!HELD.compareAndSet(this, false, true)) {
      return false;
    }
    try {
      dropped = dropped || nowUs >= unusedUs;
      return dropped;
    } finally {
      unlock();
    }
  }

  /** Returns whether it was dropped; requires the lock. */
  boolean isDropped() {
    return dropped;
  }

  /** The stored state in the scripts' format; null if it is unused. Requires the lock. */
  @Nullable String text(long nowUs) {
    return later(nowUs) >= unusedUs
        ? null
        : Stream.of(tiers).map(SubjectTier::text).collect(Collectors.joining(" "));
  }

  /**
   * Stores a state in the scripts' format. Requires the lock.
   *
   * @param endUs the time at which it is unused; -1 to keep the current one
   */
  void parse(String text, long endUs) {
    String[] fields = text.split(" ");
    for (int i = 0; i < tiers.length; i++) {
      tiers[i].parse(fields[i]);
    }
    unusedUs = endUs < 0 ? unusedUs : endUs;
  }

  /** Stores that it is unused. Requires the lock. */
  void clear() {
    unusedUs = 0;
    for (SubjectTier tier : tiers) {
      tier.clear();
    }
  }

  /** Waits until no call is in progress; none starts until {@link #unlock()}. */
  void lock() {
    int tried = 0;
    while (!HELD.compareAndSet(this, false, true)) {
      tried++;
      if (tried < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  /** Releases {@link #lock()}. */
  void unlock() {
    HELD.setRelease(this, false);
  }

  private static VarHandle held() {
    try {
      return MethodHandles.lookup().findVarHandle(SubjectUse.class, "held", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /* Threads that wait for the lock may have read the clock in another order. */
  private long later(long nowUs) {
    lastUs = Math.max(lastUs, nowUs);
    return lastUs;
  }

  private void begin(LastDenial denial, long nowUs) {
    int place = denial.tier() - 1;
    if (place < tiers.length && denial.resetMicros() > denial.ageMicros()) {
      long atUs = nowUs - denial.ageMicros();
      tiers[place].deny(denial.remaining(), denial.resetMicros(), atUs);
      unusedUs = Math.max(unusedUs, atUs + denial.resetMicros());
    }
  }

  private long decide(TierTerms[] terms, long cost, long calls, long nowUs) {
    return tiers.length == 1 && calls == 1
        ? decideOne(tiers[0], terms[0], cost, nowUs)
        : decideAll(terms, cost, calls, nowUs);
  }

  /* The variant for one tier and one call, which nearly every call uses. */
  private long decideOne(SubjectTier tier, TierTerms terms, long cost, long nowUs) {
    boolean cut = tier.read(terms, nowUs);
    long roomUs = cost > terms.limit ? NEVER_US : tier.roomInUs(cost);
    if (roomUs == 0) {
      waitUs = terms.queues ? tier.backlogUs() : 0;
      tier.charge(cost);
    } else {
      waitUs = roomUs == NEVER_US ? -1 : roomUs;
    }
    tier.conclude();
    if (roomUs == 0 || cut) {
      tier.write();
      unusedUs = nowUs + tier.resetUs;
    }
    return roomUs == 0 ? 1 : 0;
  }

  private long decideAll(TierTerms[] terms, long cost, long calls, long nowUs) {
    boolean cut = read(terms, nowUs);
    long granted = fitting(cost, calls);
    if (granted == 0) {
      deny(cost);
    } else {
      waitUs = backlogUs();
      for (SubjectTier tier : tiers) {
        tier.charge(granted * cost);
        tier.conclude();
      }
      deciding = fewest();
    }
    if (granted > 0 || cut) {
      keep(nowUs);
    }
    return granted;
  }

  private void look(TierTerms[] terms, long nowUs) {
    read(terms, nowUs);
    waitUs = backlogUs();
    for (SubjectTier tier : tiers) {
      tier.conclude();
    }
    deciding = fewest();
  }

  private void giveBack(TierTerms[] terms, long units, long nowUs) {
    read(terms, nowUs);
    waitUs = 0;
    for (SubjectTier tier : tiers) {
      tier.refund(units);
      tier.conclude();
    }
    deciding = fewest();
    keep(nowUs);
  }

  private boolean read(TierTerms[] terms, long nowUs) {
    boolean cut = false;
    for (int i = 0; i < tiers.length; i++) {
      cut |= tiers[i].read(terms[i], nowUs);
    }
    return cut;
  }

  private void keep(long nowUs) {
    long longestUs = 0;
    for (SubjectTier tier : tiers) {
      tier.write();
      longestUs = Math.max(longestUs, tier.resetUs);
    }
    unusedUs = nowUs + longestUs;
  }

  /* The tier that is denied longest decides. */
  private void deny(long cost) {
    waitUs = -1;
    for (int i = 0; i < tiers.length; i++) {
      SubjectTier tier = tiers[i];
      tier.conclude();
      long tierWaitUs = cost > tier.terms.limit ? NEVER_US : tier.roomInUs(cost);
      if (tierWaitUs > waitUs) {
        waitUs = tierWaitUs;
        deciding = i;
      }
    }
    waitUs = waitUs == NEVER_US ? -1 : waitUs;
  }

  private long backlogUs() {
    long longestUs = 0;
    for (SubjectTier tier : tiers) {
      longestUs = Math.max(longestUs, tier.backlogUs());
    }
    return longestUs;
  }

  private int fewest() {
    int fewest = 0;
    for (int i = 1; i < tiers.length; i++) {
      fewest = tiers[i].remaining < tiers[fewest].remaining ? i : fewest;
    }
    return fewest;
  }

  /* As many calls as fit into every tier, by bisection. */
  private long fitting(long cost, long calls) {
    if (calls == 1 || fits(cost * calls)) {
      return calls > 1 || fits(cost) ? calls : 0;
    }
    long fits = 0;
    long tooMany = calls;
    while (tooMany - fits > 1) {
      long tried = fits + (tooMany - fits) / 2;
      if (fits(tried * cost)) {
        fits = tried;
      } else {
        tooMany = tried;
      }
    }
    return fits;
  }

  private boolean fits(long units) {
    for (SubjectTier tier : tiers) {
      if (units > tier.terms.limit || tier.roomInUs(units) > 0) {
        return false;
      }
    }
    return true;
  }

  private Decision decision(long granted) {
    SubjectTier tier = tiers[deciding];
    return new Decision(
        granted > 0,
        tier.terms.limit,
        tier.remaining,
        waitUs,
        tier.resetUs,
        deciding + 1,
        DecisionSource.LOCAL);
  }

  private Usage usage() {
    SubjectTier tier = tiers[deciding];
    return new Usage(tier.terms.limit, tier.remaining, waitUs, tier.resetUs, deciding + 1);
  }
}
