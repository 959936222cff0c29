package io.github.penstock.core.internal.near;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table of fixed size in which a key has two places. A newer denial replaces one that has
 * expired, or else another one, whose next call then takes a round trip; no sweep ever runs. Safe
 * for use by several threads, without a lock.
 *
 * <p>Hashes are stored separately, so that a missing key is mostly detected without touching the
 * denials, which are scattered over the heap. A hash may be older or newer than its denial; then a
 * key is not found, or is compared without need.
 */
final class DenialTable {
  private static final int PLACES = 2;
  private final int pairs;
  private final AtomicIntegerArray hashes;
  private final AtomicReferenceArray<@Nullable RememberedDenial> denials;

  /**
   * A table.
   *
   * @param entries at least 2
   */
  DenialTable(int entries) {
    pairs = entries / PLACES;
    hashes = new AtomicIntegerArray(PLACES * pairs);
    denials = new AtomicReferenceArray<>(PLACES * pairs);
  }

  /** The denial that is remembered of a key, or null. */
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

  /** Remembers a denial of a key in place of another. */
  void put(int hash, byte[] key, RememberedDenial denial, long nowNanos) {
    int place = first(hash) + place(hash, key, nowNanos);
    denials.setRelease(place, denial);
    hashes.setOpaque(place, hash);
  }

  /** Returns how many remembered denials match. */
  int count(Predicate<RememberedDenial> such) {
    int count = 0;
    for (int place = 0; place < denials.length(); place++) {
      RememberedDenial denial = denials.getAcquire(place);
      count += denial != null && such.test(denial) ? 1 : 0;
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
