package io.github.penstock.core.internal.near;

import io.github.penstock.core.Decision;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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
    DenialTable known = table.get();
    if (known == null) {
      return null;
    }
    int hash = KeyHash.of(key);
    RememberedDenial denial = known.find(hash, key);
    if (denial == null) {
      return null;
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
    DenialTable known = table.get();
    int hash = KeyHash.of(key);
    RememberedDenial denial = known == null ? null : known.find(hash, key);
    if (denial == null
        || !forgotten.counts(hash, denial.sentNanos())
        || !clocks.steadySince(denial.sentNanos())) {
      return null;
    }
    return denial.last(limit, time.nanos());
  }

  /** Returns how many denials would be repeated now. Visits every entry. */
  public int count() {
    DenialTable known = table.get();
    return known == null ? 0 : known.count(this::counts);
  }

  private boolean counts(RememberedDenial denial) {
    return !denial.isOver(time.nanos()) && forgotten.counts(denial.hash(), denial.sentNanos());
  }

  private DenialTable table() {
    DenialTable known = table.get();
    if (known == null) {
      DenialTable fresh = new DenialTable(entries);
      known = table.compareAndExchange(null, fresh);
      return known == null ? fresh : known;
    }
    return known;
  }
}
