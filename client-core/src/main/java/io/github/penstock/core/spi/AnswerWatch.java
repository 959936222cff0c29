package io.github.penstock.core.spi;

import io.github.penstock.core.time.TimeSource;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Determines, for a transport whose bound on the calls to one node is full, whether that node still
 * answers. Safe for use by several threads.
 *
 * <p>Answers themselves are not reported: the transport counts them, and passes the count when it
 * sends. A transport may start this when its bound is half full.
 */
public final class AnswerWatch {
  private final long withinNanos;
  private final LongSupplier nanos;
  private final EventLoopWatch loops;
  private volatile Seen seen;
  private volatile long answeredNanos;

  /**
   * The latest change of the count that was seen.
   *
   * @param answers the count
   * @param owedNanos since when an answer to anything later is owed
   * @param answered whether an answer was seen then; false if calls only began then
   */
  private record Seen(long answers, long owedNanos, boolean answered) {}

  /**
   * Watches one node.
   *
   * @param within how recent an answer must be: the deadline
   * @param loops the event loops that read its answers
   */
  public AnswerWatch(Duration within, EventLoopWatch loops) {
    this(within, loops, TimeSource.SYSTEM::nanos);
  }

  AnswerWatch(Duration within, EventLoopWatch loops, LongSupplier nanos) {
    withinNanos = within.toNanos();
    this.loops = loops;
    this.nanos = nanos;
    answeredNanos = nanos.getAsLong() - withinNanos;
    seen = new Seen(0, answeredNanos, false);
  }

  /**
   * Notes how many answers there were, when a call is about to be sent.
   *
   * @param answers calls of this node that were answered so far
   * @param idle whether the node owes no answer now
   */
  public void sending(long answers, boolean idle) {
    Seen last = seen;
    if (idle || answers != last.answers) {
      note(last, answers, idle);
    }
  }

  /**
   * The failure of a call that finds the bound full: overloaded, if an answer arrived within the
   * last deadline; otherwise the call waits like one without a connection, unless the node has owed
   * an answer for a whole deadline. If that wait fails, the call was overloaded if other calls got
   * answers meanwhile; if too many calls wait already, it is overloaded at once.
   *
   * @param answers calls of this node that were answered so far
   * @param reason the bound that is full
   */
  public NotSentException full(long answers, RuntimeException reason) {
    return full(() -> answers, reason);
  }

  /**
   * The failure for a count that is read again if the wait fails.
   *
   * @param answers how many calls of this node were answered so far
   */
  public NotSentException full(LongSupplier answers, RuntimeException reason) {
    Seen latest = latest(answers);
    if (!isWithin(latest)) {
      return new NotSentException(reason);
    }
    return latest.answered
        ? NotSentException.overloaded(reason)
        : NotSentException.notKnownYet(reason, () -> answersNow(answers));
  }

  /** Notes an answer that came while many calls were under way. */
  public void answeredAmongMany() {
    answeredNanos = nanos.getAsLong();
  }

  /**
   * The failure of a call that was sent and is late: many were in flight, and one of them was
   * answered within the last deadline, or this process had no time to read answers. Null if
   * neither, and if the node has owed an answer for a whole deadline.
   *
   * @param underWay how many
   */
  public @Nullable BusyNodeException busy(long underWay) {
    if (loops.isBehind()) {
      return isWithin(seen) ? BusyNodeException.unread(underWay) : null;
    }
    return nanos.getAsLong() - answeredNanos < withinNanos ? new BusyNodeException(underWay) : null;
  }

  private boolean answersNow(LongSupplier answers) {
    Seen latest = latest(answers);
    return isWithin(latest) && (latest.answered || loops.isBehind());
  }

  private Seen latest(LongSupplier answers) {
    Seen last = seen;
    long count = answers.getAsLong();
    return count <= last.answers ? last : note(last, count, false);
  }

  /*
   * A node is silent after a deadline, if answers were looked for at its end: in its last eighth,
   * since a call's own deadline, at which they are, begins a little before it is sent.
   */
  private boolean isWithin(Seen last) {
    long silentNanos = last.owedNanos + withinNanos;
    if (nanos.getAsLong() - silentNanos < 0) {
      return true;
    }
    long endingNanos = silentNanos - withinNanos / 8;
    loops.hasRead(endingNanos);
    return loops.readNanos(endingNanos) - endingNanos < 0;
  }

  /* An answer that was seen after an idle time may be as old as that. */
  private Seen note(Seen last, long answers, boolean idle) {
    boolean recent = !idle && answers != last.answers;
    Seen now = new Seen(answers, nanos.getAsLong(), recent);
    seen = now;
    return now;
  }
}
