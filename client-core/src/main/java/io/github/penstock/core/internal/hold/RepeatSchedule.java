package io.github.penstock.core.internal.hold;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call within its deadline. For one thread after the other.
 *
 * <p>All attempts have the same time, 45 % of the deadline, and none begins after 55 % of it: so
 * they expire in the order in which they begin, and an answer that is lost leaves time for another.
 */
final class RepeatSchedule {
  private static final long SHORTEST_NANOS =
      TimeUnit.MILLISECONDS.toNanos(ClientNumbers.ATTEMPT_PAUSE_MS);
  private static final long LONGEST_NANOS =
      TimeUnit.MILLISECONDS.toNanos(ClientNumbers.ATTEMPT_LONGEST_PAUSE_MS);
  private final TimeSource time;
  private final long attemptNanos;
  private final long lastBeginNanos;
  private long pauseNanos = SHORTEST_NANOS;
  private @Nullable CallFailure unanswered;

  /** The attempts of a call that begins now. */
  RepeatSchedule(long deadlineNanos, TimeSource time) {
    this.time = time;
    attemptNanos = (long) (deadlineNanos * ClientNumbers.ATTEMPT_PART);
    lastBeginNanos = time.nanos() + deadlineNanos - attemptNanos;
  }

  /** The deadline of an attempt that begins now. */
  long attemptDeadline() {
    return time.nanos() + attemptNanos;
  }

  /** Notes the failure of an attempt; returns the pause before another one, or -1 for none. */
  long pauseAfter(CallFailure failure) {
    if (failure.isUnanswered()) {
      unanswered = failure;
    }
    long pause = pauseNanos;
    boolean circuitOpen = failure.kind() == FailureKind.NOT_SENT && !failure.silent();
    boolean mayRepeat = failure.kind().outage() || failure.isUnanswered();
    if (!mayRepeat || circuitOpen || lastBeginNanos - time.nanos() < pause) {
      return -1;
    }
    pauseNanos = Math.min(LONGEST_NANOS, 2 * pause);
    return pause;
  }

  /** The failure of the call whose last attempt failed so: an earlier one may have been charged. */
  CallFailure last(CallFailure failure) {
    CallFailure earlier = unanswered;
    if (earlier == null) {
      return failure;
    }
    return failure.kind().outage() ? earlier : failure.afterLostAnswer();
  }
}
