package io.github.penstock.core.internal.near;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The leases of all subjects (rule L8): a table of fixed size, in which a subject has {@value
 * #PLACES} places. It takes a place that is free or whose subject is idle; if it finds none, it
 * gets no lease. Safe for use by several threads, without a lock.
 */
public final class LeaseTable {
  private static final int PLACES = 8;
  private final AtomicReferenceArray<@Nullable SubjectLease> table;
  private final TimeSource time;
  private final ClockWatch clocks;
  private final LeaseCounts counts = new LeaseCounts();

  /**
   * A table for {@code subjects} subjects.
   *
   * @param subjects at least 8
   */
  public LeaseTable(int subjects, TimeSource time) {
    table = new AtomicReferenceArray<>(subjects / PLACES * PLACES);
    this.time = time;
    clocks = new ClockWatch(time);
  }

  /** The lease of a key, or null if it gets none: such a call goes to the server alone. */
  public @Nullable SubjectLease of(byte[] key, Limit limit, LeaseTerms terms) {
    if (key.length > DenialMemory.MOST_KEY_BYTES || !mayLease(limit)) {
      return null;
    }
    int hash = KeyHash.of(key);
    int first = first(hash);
    for (int place = first; place < first + PLACES; place++) {
      SubjectLease lease = table.getAcquire(place);
      if (lease != null && lease.isOf(hash, key, limit, terms)) {
        return lease;
      }
    }
    return added(new SubjectLease(this, hash, key, limit, terms), first);
  }

  /* Rule L7. */
  private static boolean mayLease(Limit limit) {
    return limit.tiers().size() == 1 && limit.kind().leasable();
  }

  /**
   * Drops the held units of a key, under any limit (rule L6): to be called before a reset and again
   * when it has ended, whether it succeeded or not. Units that are held, or are being leased, keep
   * their place in the table, so none are missed.
   */
  public void drop(byte[] key) {
    int hash = KeyHash.of(key);
    int first = first(hash);
    long now = time.nanos();
    for (int place = first; place < first + PLACES; place++) {
      SubjectLease lease = table.getAcquire(place);
      if (lease != null && lease.isOf(hash, key)) {
        lease.drop(now);
      }
    }
  }

  /** Returns how many units were leased, handed out and never used. */
  public LeaseCounts counts() {
    return counts;
  }

  TimeSource time() {
    return time;
  }

  long nanos() {
    return time.nanos();
  }

  /** Returns whether the clocks can be trusted since then. */
  boolean steadySince(long beganNanos) {
    return clocks.steadySince(beganNanos);
  }

  private @Nullable SubjectLease added(SubjectLease fresh, int first) {
    long now = time.nanos();
    for (int place = first; place < first + PLACES; place++) {
      SubjectLease there = table.getAcquire(place);
      if ((there == null || there.isIdle(now)) && table.compareAndSet(place, there, fresh)) {
        if (there != null) {
          there.dismissed();
        }
        return fresh;
      }
    }
    return null;
  }

  private int first(int hash) {
    int groups = table.length() / PLACES;
    return PLACES * (int) ((hash & 0xffff_ffffL) * groups >>> Integer.SIZE);
  }
}
