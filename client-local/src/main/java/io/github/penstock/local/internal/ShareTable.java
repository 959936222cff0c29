package io.github.penstock.local.internal;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.internal.near.LastDenial;
import io.github.penstock.core.internal.near.LocalDecider;
import io.github.penstock.core.limit.Limit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shares of limits that this process enforces in an outage, of at most a million keys. Safe for
 * use by several threads.
 */
public final class ShareTable implements LocalDecider {
  private static final int MOST_KEYS = 1_000_000;

  /** Creates the deciders for outages; the {@link java.util.ServiceLoader} finds it. */
  public static final class ShareFactory implements Factory {
    @Override
    public LocalDecider create(LongSupplier nanos) {
      return new ShareTable(nanos);
    }
  }

  private final MicroClock clock;
  private final SubjectTable table = new SubjectTable(MOST_KEYS);

  public ShareTable(LongSupplier nanos) {
    clock = new MicroClock(nanos, System.currentTimeMillis());
  }

  @Override
  public @Nullable AcquiredUnits tryAcquire(
      String key, Limit limit, long cost, long calls, @Nullable LastDenial denial) {
    TierTerms[] terms = TierTerms.of(limit);
    long nowUs = clock.micros();
    return table.call(
        key,
        limit.kind(),
        terms,
        nowUs,
        use -> use.chargeSeveral(terms, cost, calls, nowUs, denial));
  }

  @Override
  public void refund(String key, Limit limit, long units) {
    SubjectUse use = table.find(key);
    if (use != null) {
      use.refund(TierTerms.of(limit), units, clock.micros());
    }
  }
}
