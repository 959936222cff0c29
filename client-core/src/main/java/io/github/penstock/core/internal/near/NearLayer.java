package io.github.penstock.core.internal.near;

import io.github.penstock.core.Decision;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers denials and holds leases for all limiters of one {@code RateLimiters} object. It
 * belongs to that object because services make limiters for each request (rule N6). Safe for use by
 * several threads.
 */
public final class NearLayer {
  private static final int SUBJECTS = 100_000;
  private final @Nullable DenialMemory denials;
  private final AtomicReference<@Nullable LeaseTable> leases = new AtomicReference<>();
  private final TimeSource time;
  private final OnUnavailable onUnavailable;
  private final @Nullable LocalDecider decider;

  public NearLayer(RateLimiterOptions options, TimeSource time) {
    this.time = time;
    onUnavailable = options.onUnavailable();
    decider = onUnavailable.isLocal() ? LocalDecider.factory().create(time::nanos) : null;
    denials =
        options.rememberDenials().isZero()
            ? null
            : new DenialMemory(options.mostDenials(), options.rememberDenials(), time);
  }

  /** The denial of a call, if it is known. */
  public @Nullable Decision denial(byte[] key, Limit limit, long cost) {
    return denials == null ? null : denials.find(key, limit, cost);
  }

  /**
   * The server has denied a call.
   *
   * @param sentNanos a time before it was sent
   */
  public void denied(byte[] key, Limit limit, long cost, Decision denied, long sentNanos) {
    if (denials != null) {
      denials.remember(key, limit, cost, denied, sentNanos, time.nanos());
    }
  }

  /**
   * Units of a key are about to be given back, have been, or may have been.
   *
   * @param all whether all of its held units go with them
   */
  public void givenBack(byte[] key, boolean all) {
    if (denials != null) {
      denials.forget(key);
    }
    LeaseTable table = leases.get();
    if (all && table != null) {
      table.drop(key);
    }
  }

  /**
   * Counts the denials that are remembered and the units that are leased, beside what the caller
   * knows.
   *
   * @param openCircuits how many nodes get no calls
   * @param sharedCalls how many calls were sent together with others
   * @param sharedTrips in how many trips
   */
  public NearStatistics statistics(int openCircuits, long sharedCalls, long sharedTrips) {
    LeaseTable table = leases.get();
    LeaseCounts counts = table == null ? new LeaseCounts() : table.counts();
    return new NearStatistics(
        denials == null ? 0 : denials.count(),
        counts.leased().sum(),
        counts.used().sum(),
        counts.expired().sum(),
        openCircuits,
        sharedCalls,
        sharedTrips);
  }

  /**
   * This process's share of a limit, or null if the options name none.
   *
   * @throws IllegalArgumentException if the share is out of the bounds of its kind
   */
  public @Nullable LocalShare share(Limit limit) {
    return decider == null ? null : new LocalShare(decider, denials, onUnavailable, limit);
  }

  /** The lease of a key, or null if it cannot have one. */
  public @Nullable SubjectLease lease(byte[] key, Limit limit, LeaseTerms terms) {
    LeaseTable table = leases.get();
    if (table == null) {
      LeaseTable fresh = new LeaseTable(SUBJECTS, time);
      LeaseTable first = leases.compareAndExchange(null, fresh);
      table = first == null ? fresh : first;
    }
    return table.of(key, limit, terms);
  }
}
