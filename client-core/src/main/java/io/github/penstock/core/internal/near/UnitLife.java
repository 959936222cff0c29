package io.github.penstock.core.internal.near;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import java.util.concurrent.TimeUnit;

/** Which limits' units may be held for a while, and for how long (rules L2, L3 and L7). */
final class UnitLife {
  /** A thousandth less than a microsecond: our clock may differ by that from the server's. */
  private static final long SURE_NANOS_PER_MICRO = 999;

  private UnitLife() {}

  /** Returns whether units of such a limit may be leased. */
  static boolean mayLease(Limit limit) {
    return limit.tiers().size() == 1 && limit.kind().leasable();
  }

  /**
   * Returns how long units live from before they were asked for, in nanoseconds: as agreed, and in
   * a window no longer than the window in which they were charged.
   *
   * @param resetMicros of the answer that charged them
   */
  static long nanos(LeaseTerms terms, Limit limit, long resetMicros) {
    long leftMicros =
        switch (limit.kind().refill()) {
          case AT_END -> resetMicros;
          case FADING -> resetMicros - limit.tiers().get(0).periodMicros();
          case EVENLY, IN_BATCHES -> Long.MAX_VALUE;
        };
    long micros = Math.min(TimeUnit.MICROSECONDS.convert(terms.atMost()), leftMicros);
    return micros * SURE_NANOS_PER_MICRO;
  }
}
