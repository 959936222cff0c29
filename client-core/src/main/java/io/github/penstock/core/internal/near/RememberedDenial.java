package io.github.penstock.core.internal.near;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.Limit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A denial of the server, and for how long it is the answer. Immutable. */
final class RememberedDenial {
  private static final long NANOS_PER_MICRO = 1_000;

  /** A thousandth less than a microsecond: our clocks may differ by that from the server's. */
  private static final long SURE_NANOS_PER_MICRO = 999;

  private final int hash;
  private final byte[] key;
  private final Limit limit;
  private final long cost;
  private final Decision denied;
  private final long sentNanos;
  private final long answeredNanos;
  private final long lifeNanos;

  /**
   * Remembers {@code denied}.
   *
   * @param sentNanos before the call was sent
   * @param answeredNanos when its answer was there
   * @param mostNanos how long it is remembered at most
   */
  RememberedDenial(
      int hash,
      byte[] key,
      Limit limit,
      long cost,
      Decision denied,
      long sentNanos,
      long answeredNanos,
      long mostNanos) {
    this.hash = hash;
    this.key = key;
    this.limit = limit;
    this.cost = cost;
    this.denied = denied;
    this.sentNanos = sentNanos;
    this.answeredNanos = answeredNanos;
    lifeNanos =
        denied.impossible()
            ? mostNanos
            : Math.min(denied.waitMicros() * SURE_NANOS_PER_MICRO, mostNanos);
  }

  int hash() {
    return hash;
  }

  boolean isOf(int otherHash, byte[] otherKey) {
    return hash == otherHash && Arrays.equals(key, otherKey);
  }

  /** Returns whether it has no more to say. */
  boolean isOver(long nowNanos) {
    return nowNanos - sentNanos >= lifeNanos;
  }

  /** When the denied call was sent. */
  long sentNanos() {
    return sentNanos;
  }

  /** The denial of a call of the same key, if this one says that it would be denied. */
  @Nullable Decision about(Limit asked, long askedCost, long nowNanos) {
    if (isOver(nowNanos) || !limit.equals(asked)) {
      return null;
    }
    long passedNanos = Math.max(0, nowNanos - answeredNanos);
    if (denied.impossible()) {
      return askedCost == cost ? answer(-1, passedNanos) : null;
    }
    long longer = DenialWait.longerMicros(limit, cost, askedCost, denied.remaining());
    return longer == DenialWait.UNKNOWN
        ? null
        : answer(less(denied.waitMicros() + longer, passedNanos), passedNanos);
  }

  /** The denial, if it was about this limit. */
  @Nullable LastDenial last(Limit asked, long nowNanos) {
    long ageMicros = Math.max(0, nowNanos - answeredNanos) / NANOS_PER_MICRO;
    return limit.equals(asked)
        ? new LastDenial(denied.tier(), denied.remaining(), denied.resetMicros(), ageMicros)
        : null;
  }

  private Decision answer(long waitMicros, long passedNanos) {
    return new Decision(
        false,
        denied.limit(),
        denied.remaining(),
        waitMicros,
        less(denied.resetMicros(), passedNanos),
        denied.tier(),
        DecisionSource.REMEMBERED);
  }

  /* Less the time that has certainly passed since, rounded up. */
  private static long less(long micros, long passedNanos) {
    long surely = passedNanos / NANOS_PER_MICRO * SURE_NANOS_PER_MICRO;
    long left = micros * NANOS_PER_MICRO - surely;
    return left <= 0 ? 0 : (left + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO;
  }
}
