package io.github.penstock.core.near;

import io.github.penstock.core.Decision;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers denials for a short while and tells them again without asking (rules N1 to N6). Safe
 * for use by several threads, without a lock.
 *
 * <p>It is a table of fixed size in which a key has two places. A newer denial takes the place of
 * one that is over, or else of another, which loses nothing but a trip; nothing is ever swept. The
 * table is made with the first denial. An entry takes about 100 bytes and its key, and a key above
 * {@value #MOST_KEY_BYTES} bytes is not remembered.
 */
public final class DenialMemory {
  static final int MOST_KEY_BYTES = 512;
  private static final int STRIPES = 4_096;
  private final int pairs;
  private final long mostNanos;
  private final TimeSource time;
  private final ClockWatch clocks;
  private final ForgetTimes forgotten;
  private final AtomicReference<@Nullable AtomicReferenceArray<@Nullable RememberedDenial>> table =
      new AtomicReference<>();

  /**
   * A memory for {@code entries} denials.
   *
   * @param entries at least 2
   * @param atMost how long a denial is remembered at most
   */
  public DenialMemory(int entries, Duration atMost, TimeSource time) {
    pairs = entries / 2;
    mostNanos = atMost.toNanos();
    this.time = time;
    clocks = new ClockWatch(time);
    forgotten = new ForgetTimes(STRIPES, time.nanos());
  }

  /** The denial of a call, if one that is remembered says that the server would deny it. */
  public @Nullable Decision find(byte[] key, Limit limit, long cost) {
    AtomicReferenceArray<@Nullable RememberedDenial> places = table.get();
    if (places == null) {
      return null;
    }
    int hash = KeyHash.of(key);
    int first = first(hash);
    RememberedDenial denial = places.getAcquire(first);
    if (denial == null || !denial.isOf(hash, key)) {
      denial = places.getAcquire(first + 1);
      if (denial == null || !denial.isOf(hash, key)) {
        return null;
      }
    }
    boolean counts =
        forgotten.counts(hash, denial.sentNanos()) && clocks.steadySince(denial.sentNanos());
    return counts ? denial.about(limit, cost, time.nanos()) : null;
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
      put(hash, key, denial, answeredNanos);
    }
  }

  /**
   * Forgets what is known of a key, under whatever limit: to be called before something is given
   * back and again when that has ended, however it ended.
   */
  public void forget(byte[] key) {
    forgotten.forget(KeyHash.of(key), time.nanos());
  }

  private void put(int hash, byte[] key, RememberedDenial denial, long nowNanos) {
    AtomicReferenceArray<@Nullable RememberedDenial> places = places();
    int first = first(hash);
    places.setRelease(first + place(hash, key, places, first, nowNanos), denial);
  }

  private static int place(
      int hash,
      byte[] key,
      AtomicReferenceArray<@Nullable RememberedDenial> places,
      int first,
      long nowNanos) {
    RememberedDenial one = places.getAcquire(first);
    RememberedDenial two = places.getAcquire(first + 1);
    if (one != null && one.isOf(hash, key)) {
      return 0;
    }
    if (two != null && two.isOf(hash, key)) {
      return 1;
    }
    return one == null || one.isOver(nowNanos) || two != null && !two.isOver(nowNanos) ? 0 : 1;
  }

  private AtomicReferenceArray<@Nullable RememberedDenial> places() {
    AtomicReferenceArray<@Nullable RememberedDenial> places = table.get();
    if (places == null) {
      AtomicReferenceArray<@Nullable RememberedDenial> fresh =
          new AtomicReferenceArray<>(2 * pairs);
      places = table.compareAndExchange(null, fresh);
      return places == null ? fresh : places;
    }
    return places;
  }

  /* The first of the two places of a key. */
  private int first(int hash) {
    return 2 * (int) ((hash & 0xffff_ffffL) * pairs >>> Integer.SIZE);
  }
}
