package io.github.penstock.local;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.spi.LastDenial;
import org.jspecify.annotations.Nullable;

/**
 * What one subject has used of one limit. Calls take its own lock and no other. A call is answered
 * null once this was dropped, and must be made again on what took its place.
 */
final class SubjectUse {
  private static final long NEVER_US = Long.MAX_VALUE;
  private final SubjectTier[] tiers;
  private long lastUs;
  private long unusedUs;
  private boolean dropped;
  private int deciding;
  private long waitUs;

  /** A subject that has used nothing. */
  SubjectUse(LimitKind kind, TierTerms[] terms) {
    tiers = new SubjectTier[terms.length];
    for (int i = 0; i < tiers.length; i++) {
      tiers[i] = SubjectTier.unused(kind, terms[i]);
    }
  }

  /** Takes a call's units if every tier has room for them. */
  synchronized @Nullable Decision charge(TierTerms[] terms, long cost, long nowUs) {
    return dropped ? null : decision(decide(terms, cost, 1, later(nowUs)));
  }

  /** Takes the units of as many of {@code calls} calls as there is room for. */
  synchronized @Nullable AcquiredUnits chargeSeveral(
      TierTerms[] terms, long cost, long calls, long nowUs) {
    if (dropped) {
      return null;
    }
    long granted = decide(terms, cost, calls, later(nowUs));
    return new AcquiredUnits(granted, decision(granted));
  }

  /** The same for who may begin with less than all, if nothing is used now. */
  synchronized @Nullable AcquiredUnits chargeSeveral(
      TierTerms[] terms, long cost, long calls, long nowUs, @Nullable LastDenial denial) {
    if (denial != null && !dropped && later(nowUs) >= unusedUs) {
      begin(denial, lastUs);
    }
    return chargeSeveral(terms, cost, calls, nowUs);
  }

  /** Returns what is left, and keeps nothing. */
  synchronized @Nullable Usage peek(TierTerms[] terms, long nowUs) {
    if (dropped) {
      return null;
    }
    look(terms, later(nowUs));
    return usage();
  }

  /** Gives units back to every tier. */
  synchronized @Nullable Usage refund(TierTerms[] terms, long units, long nowUs) {
    if (dropped) {
      return null;
    }
    giveBack(terms, units, later(nowUs));
    return usage();
  }

  /**
   * Answers a call as a script does, at the time that the caller gives, which may step back.
   *
   * @param cost units; 0 peeks, negative refunds
   * @param calls how many, 1 for a peek and a refund
   * @return the six integers
   */
  synchronized long @Nullable [] call(TierTerms[] terms, long cost, long calls, long nowUs) {
    if (dropped) {
      return null;
    }
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
  }

  /** Returns whether nothing is used, and this was dropped for that. */
  synchronized boolean drop(long nowUs) {
    dropped = dropped || nowUs >= unusedUs;
    return dropped;
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

  /* As many calls as fit into every tier, by halves. */
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
