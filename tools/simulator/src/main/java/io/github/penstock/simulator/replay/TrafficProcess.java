package io.github.penstock.simulator.replay;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.near.DenialMemory;
import io.github.penstock.core.internal.near.LeaseCounts;
import io.github.penstock.core.internal.near.LeaseTable;
import io.github.penstock.core.internal.near.SubjectLease;
import io.github.penstock.core.internal.near.SubjectLease.LeaseRefill;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.function.LongFunction;

/**
 * One process whose limiter leases and remembers denials, by the client's own classes. A trip takes
 * no time, so no call waits for another. Not safe for use by several threads.
 */
final class TrafficProcess {
  private static final byte[] ANY_KEY = {'k'};
  private final Limit limit;
  private final LeaseTerms terms;
  private final TimeSource clock;
  private final LeaseTable leases;
  private final DenialMemory denials;

  /**
   * A process that holds nothing yet.
   *
   * @param subjects of how many it holds leases, and denials, at most
   */
  TrafficProcess(Limit limit, LeaseTerms terms, TimeSource clock, int subjects) {
    this.limit = limit;
    this.terms = terms;
    this.clock = clock;
    leases = new LeaseTable(subjects, clock);
    denials = new DenialMemory(subjects, RateLimiterOptions.defaults().rememberDenials(), clock);
  }

  /** Returns whether there are leases of such a limit. */
  static boolean mayLease(Limit limit, LeaseTerms terms, TimeSource clock) {
    return new LeaseTable(Byte.SIZE, clock).of(ANY_KEY, limit, terms) != null;
  }

  /**
   * Decides about a call, as a limiter does.
   *
   * @param server decides this number of calls of this cost
   */
  Decision decide(byte[] key, long cost, LongFunction<AcquiredUnits> server) {
    SubjectLease lease = cost > terms.most() ? null : leases.of(key, limit, terms);
    Decision held = lease == null ? null : lease.handOut(cost);
    if (held != null) {
      return held;
    }
    Decision known = denials.find(key, limit, cost);
    if (known != null) {
      return known;
    }
    Decision answer = lease == null ? server.apply(1).decision() : asked(lease, cost, server);
    if (!answer.allowed()) {
      denials.remember(key, limit, cost, answer, clock.nanos(), clock.nanos());
    }
    return answer;
  }

  private Decision asked(SubjectLease lease, long cost, LongFunction<AcquiredUnits> server) {
    long calls = lease.callsToTake(cost);
    LeaseRefill taking = calls > 1 ? lease.begin() : null;
    if (taking == null) {
      Decision alone = server.apply(1).decision();
      lease.asked(cost, alone);
      return alone;
    }
    try {
      return lease.taken(cost, server.apply(calls), clock.nanos());
    } finally {
      taking.end();
    }
  }

  /** Returns how many units it leased, handed out and never used. */
  LeaseCounts counts() {
    return leases.counts();
  }
}
