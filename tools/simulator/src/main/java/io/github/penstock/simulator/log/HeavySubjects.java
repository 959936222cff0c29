package io.github.penstock.simulator.log;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;

/**
 * The subjects that make more than a thousandth of the requests, by their hashes, in constant
 * memory: at most about a thousand. Of more than {@value #MOST} subjects, some that make a little
 * less may be among them. Not safe for use by several threads.
 *
 * <p>Source: J. Misra, D. Gries, "Finding repeated elements", Science of Computer Programming 2,
 * 1982.
 */
final class HeavySubjects {
  private static final int MOST = 1 << 15;
  private static final int PART = 1_000;
  private final Long2LongHashMap counts = new Long2LongHashMap(0);
  private long requests;
  private long lost;

  void add(long hash) {
    requests++;
    counts.put(hash, counts.get(hash) + 1);
    if (counts.size() > MOST) {
      reduce();
    }
  }

  /* Takes from each as many as the median has, so that half of them are gone. */
  private void reduce() {
    long[] sorted = counts.values().stream().mapToLong(each -> each).sorted().toArray();
    long median = sorted[sorted.length / 2];
    Long2LongHashMap before = new Long2LongHashMap(counts);
    counts.clear();
    before.forEachLong(
        (hash, count) -> {
          if (count > median) {
            counts.put(hash, count - median);
          }
        });
    lost += median;
  }

  /** Those of all requests that were added. */
  LongHashSet all() {
    LongHashSet heavy = new LongHashSet();
    counts.forEachLong(
        (hash, count) -> {
          if ((count + lost) * PART > requests) {
            heavy.add(hash);
          }
        });
    return heavy;
  }
}
