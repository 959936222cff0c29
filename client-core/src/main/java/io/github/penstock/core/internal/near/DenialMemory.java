package io.github.penstock.core.internal.near;

import io.github.penstock.core.Decision;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers denials for a short while and repeats them without asking the server (rules N1 to N6).
 * Safe for use by several threads, without a lock.
 *
 * <p>It is a table of fixed size in which a key has two places. A newer denial replaces one that
 * has expired, or else another one, whose next call then takes a round trip; no sweep ever runs.
 * The table is made with the first denial. An entry takes about 100 bytes and its key, and a key
 * above {@value #MOST_KEY_BYTES} bytes is not remembered.
 */
public final class DenialMemory {
  static final int MOST_KEY_BYTES = 512;
  private static final int STRIPES = 4_096;
  private static final int PLACES = 2;
  private final int entries;
  private final long mostNanos;
  private final TimeSource time;
  private final ClockWatch clocks;
  private final InvalidationTimes forgotten;
  private final AtomicReference<@Nullable DenialTable> table = new AtomicReference<>();

  /**
   * A memory for {@code entries} denials.
   *
   * @param entries at least 2
   * @param atMost how long a denial is remembered at most
   */
  public DenialMemory(int entries, Duration atMost, TimeSource time) {
    this.entries = entries;
    mostNanos = atMost.toNanos();
    this.time = time;
    clocks = new ClockWatch(time);
    forgotten = new InvalidationTimes(STRIPES, time.nanos());
  }

  /** The denial of a call, if one that is remembered says that the server would deny it. */
  public @Nullable Decision find(byte[] key, Limit limit, long cost) {
    RememberedDenial denial = remembered(key);
    return denial == null ? null : denial.about(limit, cost, time.nanos());
  }

  /**
   * Remembers a denial of the server.
   *
   * @param key its bytes are kept and must not be changed
   * @param sentNanos a time before the call was sent
   * @param answeredNanos a time after its answer was there
   */
  public void remember(
      byte[] key, Limit limit, long cost, Decision denied, long sentNanos, long answeredNanos) {
    int hash = KeyHash.of(key);
    if (key.length > MOST_KEY_BYTES
        || !forgotten.counts(hash, sentNanos)
        || !clocks.steadySince(sentNanos)) {
      return;
    }
    RememberedDenial denial =
        new RememberedDenial(hash, key, limit, cost, denied, sentNanos, answeredNanos, mostNanos);
    if (!denial.isOver(answeredNanos)) {
      table().put(hash, key, denial, answeredNanos);
    }
  }

  /**
   * Forgets the denials of a key, under any limit: to be called before units are returned and again
   * when that has ended, whether it succeeded or not.
   */
  public void forget(byte[] key) {
    forgotten.forget(KeyHash.of(key), time.nanos());
  }

  /**
   * The last denial of a key under this limit, of any age; null if none is stored, or if units were
   * returned since.
   */
  public @Nullable LastDenial last(byte[] key, Limit limit) {
    RememberedDenial denial = remembered(key);
    return denial == null ? null : denial.last(limit, time.nanos());
  }

  private @Nullable RememberedDenial remembered(byte[] key) {
    DenialTable known = table.get();
    if (known == null) {
      return null;
    }
    int hash = KeyHash.of(key);
    RememberedDenial denial = known.find(hash, key);
    return denial != null
            && forgotten.counts(hash, denial.sentNanos())
            && clocks.steadySince(denial.sentNanos())
        ? denial
        : null;
  }

  /** Returns how many denials would be repeated now. Visits every entry. */
  public int count() {
    DenialTable known = table.get();
    return known == null ? 0 : known.count();
  }

  private boolean counts(RememberedDenial denial) {
    return !denial.isOver(time.nanos()) && forgotten.counts(denial.hash(), denial.sentNanos());
  }

  private DenialTable table() {
    DenialTable known = table.get();
    if (known == null) {
      DenialTable fresh = new DenialTable();
      known = table.compareAndExchange(null, fresh);
      return known == null ? fresh : known;
    }
    return known;
  }

  /**
   * The places. Hashes are stored separately, so that a missing key is mostly detected without
   * touching the denials, which are scattered over the heap. A hash may be older or newer than its
   * denial; then a key is not found, or is compared without need.
   */
  private final class DenialTable {
    private final int pairs = entries / PLACES;
    private final AtomicIntegerArray hashes = new AtomicIntegerArray(PLACES * pairs);
    private final AtomicReferenceArray<@Nullable RememberedDenial> denials =
        new AtomicReferenceArray<>(PLACES * pairs);

    @Nullable RememberedDenial find(int hash, byte[] key) {
      int first = first(hash);
      for (int place = first; place < first + PLACES; place++) {
        if (hashes.getOpaque(place) == hash) {
          RememberedDenial denial = denials.getAcquire(place);
          if (denial != null && denial.isOf(hash, key)) {
            return denial;
          }
        }
      }
      return null;
    }

    void put(int hash, byte[] key, RememberedDenial denial, long nowNanos) {
      int place = first(hash) + place(hash, key, nowNanos);
      denials.setRelease(place, denial);
      hashes.setOpaque(place, hash);
    }

    int count() {
      int count = 0;
      for (int place = 0; place < denials.length(); place++) {
        RememberedDenial denial = denials.getAcquire(place);
        count += denial != null && counts(denial) ? 1 : 0;
      }
      return count;
    }

    private int place(int hash, byte[] key, long nowNanos) {
      RememberedDenial one = denials.getAcquire(first(hash));
      RememberedDenial two = denials.getAcquire(first(hash) + 1);
      if (one != null && one.isOf(hash, key)) {
        return 0;
      }
      if (two != null && two.isOf(hash, key)) {
        return 1;
      }
      return one == null || one.isOver(nowNanos) || two != null && !two.isOver(nowNanos) ? 0 : 1;
    }

    private int first(int hash) {
      return PLACES * (int) ((hash & 0xffff_ffffL) * pairs >>> Integer.SIZE);
    }
  }
}
