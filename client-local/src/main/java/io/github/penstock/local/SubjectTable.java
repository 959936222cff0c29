package io.github.penstock.local;

import io.github.penstock.core.limit.LimitKind;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What all subjects have used, each for itself: no lock is held across subjects. Safe for use by
 * several threads.
 *
 * <p>With each subject that comes, up to {@value #LOOKED_AT} others are looked at in turn, and
 * dropped if nothing of theirs is used any more. So the table is no larger than a small multiple of
 * those in use; a table that gets no new subject keeps what it has.
 */
final class SubjectTable {
  private static final int LOOKED_AT = 4;
  private final int most;
  private final ConcurrentMap<String, SubjectUse> subjects = new ConcurrentHashMap<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private Iterator<Map.Entry<String, SubjectUse>> hand = subjects.entrySet().iterator();

  /** A table for at most about {@code most} subjects. */
  SubjectTable(int most) {
    this.most = most;
  }

  /** What is kept of a subject, or null. */
  @Nullable SubjectUse find(String key) {
    return subjects.get(key);
  }

  /** What is kept of a subject, from now on if nothing was; null if there is no place. */
  @Nullable SubjectUse of(String key, LimitKind kind, TierTerms[] terms, long nowUs) {
    SubjectUse known = subjects.get(key);
    if (known != null) {
      return known;
    }
    sweep(nowUs);
    return subjects.size() >= most
        ? null
        : subjects.computeIfAbsent(key, absent -> new SubjectUse(key, kind, terms));
  }

  /** Removes what was dropped. */
  void remove(String key, SubjectUse use) {
    subjects.remove(key, use);
  }

  /** Makes a call on what is kept of a subject; null if there is no place for it. */
  <T> @Nullable T call(
      String key,
      LimitKind kind,
      TierTerms[] terms,
      long nowUs,
      Function<SubjectUse, @Nullable T> call) {
    while (true) {
      SubjectUse use = of(key, kind, terms, nowUs);
      T answer = use == null ? null : call.apply(use);
      if (use == null || answer != null) {
        return answer;
      }
      remove(key, use);
    }
  }

  /** Returns how many subjects are kept. */
  int size() {
    return subjects.size();
  }

  private void sweep(long nowUs) {
    if (!sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      for (int i = 0; i < LOOKED_AT; i++) {
        if (!hand.hasNext()) {
          hand = subjects.entrySet().iterator();
          return;
        }
        Map.Entry<String, SubjectUse> next = hand.next();
        if (next.getValue().drop(nowUs)) {
          remove(next.getKey(), next.getValue());
        }
      }
    } finally {
      sweeping.set(false);
    }
  }
}
