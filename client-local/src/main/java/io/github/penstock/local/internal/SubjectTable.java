package io.github.penstock.local.internal;

import io.github.penstock.core.limit.LimitKind;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The usage of all subjects, with a lock for each: no lock is held across subjects. Safe for use by
 * several threads.
 *
 * <p>Each new subject checks up to {@value #LOOKED_AT} others in turn, and drops those that are
 * unused. The size of the table is therefore at most a small multiple of the number of subjects in
 * use; without new subjects it stays unchanged.
 */
public final class SubjectTable {
  private static final int LOOKED_AT = 4;
  private final int most;
  private final ConcurrentMap<String, SubjectUse> subjects = new ConcurrentHashMap<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private Iterator<Map.Entry<String, SubjectUse>> hand = subjects.entrySet().iterator();

  /** A table for at most about {@code most} subjects. */
  public SubjectTable(int most) {
    this.most = most;
  }

  /** The state of a subject, or null. */
  public @Nullable SubjectUse find(String key) {
    return subjects.get(key);
  }

  /** The state of a subject, created if necessary; null if the table is full. */
  public @Nullable SubjectUse of(String key, LimitKind kind, TierTerms[] terms, long nowUs) {
    SubjectUse known = subjects.get(key);
    if (known != null) {
      return known;
    }
    sweep(nowUs);
    return subjects.size() >= most
        ? null
        : subjects.computeIfAbsent(key, absent -> new SubjectUse(key, kind, terms));
  }

  /** Removes a dropped subject. */
  void remove(String key, SubjectUse use) {
    subjects.remove(key, use);
  }

  /** Makes a call on the state of a subject; null if the table is full. */
  public <T> @Nullable T call(
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

  /** Returns the number of stored subjects. */
  public int size() {
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
