package io.github.penstock.core.internal.engine;

import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.engine.CallDeadlines.LateCall;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.node.TimedCall;
import io.github.penstock.core.internal.notice.UncaughtFailures;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * EVALSHA, NOSCRIPT, EVAL, asynchronous: the one place that sends such a call a second time, and
 * only after the answer that proves that it did not run. One object serves as the caller's future,
 * the transport's callback, and the target of the deadline. Safe for use by several threads.
 */
final class AsyncCall<T> extends CompletableFuture<T>
    implements BiConsumer<@Nullable Object, @Nullable Throwable>, LateCall {
  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<AsyncCall, @Nullable NotSentException> LACKING =
      AtomicReferenceFieldUpdater.newUpdater(AsyncCall.class, NotSentException.class, "lacking");

  private final AsyncCalls calls;
  private final ScriptCall call;
  private final ReplyReader<T> reading;
  private final CallDeadlines.Entry entry;
  private final @Nullable TimedCall timed;

  /** Whether only its batch follows this, which then completes in the thread with the outcome. */
  private final boolean inBatch;

  private volatile @Nullable CompletionStage<?> sent;
  private volatile boolean bySource;
  private volatile boolean givenUp;
  private volatile boolean hasWaited;
  private volatile boolean trying;
  private volatile boolean endLeft;
  private volatile long sentNanos;
  private volatile long tookNanos;

  /**
   * The reason why this waits for a connection; the thread that takes it away may send this, or
   * report that it was never sent.
   */
  private volatile @Nullable NotSentException lacking;

  /** The reason for which this ends at its deadline, if the client ran out of time before. */
  private volatile @Nullable RuntimeException reason;

  AsyncCall(AsyncCalls calls, ScriptCall call, ReplyReader<T> reading, boolean inBatch) {
    this.calls = calls;
    this.inBatch = inBatch;
    this.call = call;
    this.reading = reading;
    sentNanos = calls.time.nanos();
    entry = new CallDeadlines.Entry(this, call.deadlineNanos());
    timed = calls.late.begin(call);
    if (!isAdmitted()) {
      reason = LateCalls.TOO_MANY;
    }
  }

  CallDeadlines.Entry entry() {
    return entry;
  }

  /** Returns whether this may be sent: it is late already if too many calls are in flight. */
  boolean isAdmitted() {
    return timed == null || !timed.isRefused();
  }

  AsyncCall<T> send(ScriptCall toSend, RuntimeException tooLate) {
    sentNanos = calls.time.nanos();
    if (sentNanos - call.deadlineNanos() >= 0) {
      reason = tooLate;
      return this;
    }
    try {
      if (!bySource) {
        LateCalls.requireOpening(timed, calls.transport, call);
      }
      follow(calls.transport.send(toSend));
    } catch (Throwable e) {
      fail(TransportStages.failure(e));
    }
    return this;
  }

  void follow(CompletionStage<?> stage) {
    sent = stage;
    stage.whenComplete(this);
    if (givenUp) {
      stop(stage);
    }
  }

  @Override
  public void accept(@Nullable Object answer, @Nullable Throwable thrown) {
    try {
      if (thrown != null) {
        RuntimeException failure = TransportStages.failure(thrown);
        fail(
            givenUp && failure instanceof CancellationException ? TransportStages.late() : failure);
      } else {
        if (hasWaited) {
          calls.connections.connected();
        }
        // Before its verdict ends, as then another thread would end this without its answer.
        boolean mine = entry.claim();
        if (timed != null) {
          timed.answered();
        }
        if (mine) {
          answer(answer);
        }
      }
    } catch (Throwable e) {
      entry.claim();
      leave();
      end(null, e);
    }
  }

  private void answer(@Nullable Object answer) {
    T result;
    try {
      result = reading.answered(call, answer);
    } catch (PenstockException unreadable) {
      fail(CallFailure.unreadable(call, unreadable));
      return;
    }
    end(result, null);
  }

  private void leave() {
    if (timed != null) {
      timed.leave();
    }
  }

  /** A late call ends with the verdict on its node; until then its answer counts. */
  @Override
  public boolean mayEnd(Runnable then) {
    NotSentException why = lacking;
    return timed == null || why != null && !isLate(why) || timed.isJudged(then);
  }

  private boolean isLate(NotSentException why) {
    return calls.failures.of(why, call).late();
  }

  /**
   * The deadline has passed. The transport is consulted first, because it may know that the call
   * was never sent; in any case this ends the call and never throws.
   */
  @Override
  public void expire() {
    giveUp();
    NotSentException neverSent = takeOutOfWaiting();
    if (neverSent == null) {
      endLeft = true;
      if (trying) {
        return;
      }
      neverSent = takeOutOfWaiting();
    }
    end(neverSent == null ? reported() : neverSent);
  }

  /* The transport's report, if its other thread has not processed it yet. */
  private RuntimeException reported() {
    RuntimeException known = reason;
    if (known != null) {
      return known;
    }
    CompletionStage<?> asked = sent;
    return asked == null
        ? TransportStages.late()
        : TransportStages.late(TransportStages.future(asked));
  }

  /** Cancelling abandons the call: the transport does not send it if it has not done so yet. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean mine = entry.claim();
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (mine) {
      leave();
      giveUp();
      reading.abandoned(call);
    }
    return cancelled;
  }

  /**
   * Handles a missing answer; sends once more if the failure proves that the server lacks the
   * script.
   */
  void fail(RuntimeException thrown) {
    CallFailure failure = calls.failures.of(thrown, bySource ? call.bySource() : call);
    if (failure.mayGoBySource() && !bySource && !givenUp) {
      bySource = true;
      send(call.bySource(), LateCalls.TOO_LATE);
    } else if (failure.lacksConnection()) {
      awaitConnection((NotSentException) thrown);
    } else if (timed != null && failure.isLateAnswer() && !givenUp) {
      reason = thrown;
    } else if (entry.claim()) {
      fail(failure);
    }
  }

  /*
   * A thread that ends the deadline meanwhile leaves the end to this thread, which knows whether
   * the call was sent: "trying" is read after "endLeft" is written there, and the other way round
   * here.
   */
  private boolean tryAgain() {
    trying = true;
    NotSentException why = takeOutOfWaiting();
    boolean tried = why != null && !isDone() && hasTime();
    if (why != null && tried) {
      send(bySource ? call.bySource() : call, why);
    } else if (why != null) {
      endUnsent(why);
    }
    trying = false;
    if (endLeft && lacking == null) {
      end(reported());
    }
    return tried;
  }

  private void end(RuntimeException why) {
    if (entry.claim()) {
      fail(calls.failures.of(why, call));
    }
  }

  private void awaitConnection(NotSentException why) {
    tookNanos = calls.time.nanos() - sentNanos;
    if (!hasTime()) {
      endUnsent(why);
      return;
    }
    hasWaited = true;
    lacking = why;
    if (!calls.connections.add(this::tryAgain) && LACKING.getAndSet(this, null) != null) {
      end(why);
    }
  }

  /* One that found no place in time ends with the verdict on its node, at its deadline. */
  private void endUnsent(NotSentException why) {
    if (timed != null && !givenUp && isLate(why)) {
      reason = why;
    } else {
      end(why);
    }
  }

  private boolean hasTime() {
    return !givenUp && call.remainingNanos() > ConnectionBackoff.timeFor(tookNanos);
  }

  private @Nullable NotSentException takeOutOfWaiting() {
    NotSentException why = LACKING.getAndSet(this, null);
    if (why != null) {
      calls.connections.left();
    }
    return why;
  }

  private void fail(CallFailure failure) {
    T result;
    try {
      result = reading.failed(call, judged(failure));
    } catch (Throwable e) {
      end(null, e);
      return;
    }
    end(result, null);
  }

  private CallFailure judged(CallFailure failure) {
    return calls.late.ended(timed, call, failure, false);
  }

  private void end(@Nullable T result, @Nullable Throwable thrown) {
    Executor completing = inBatch ? null : calls.completing();
    if (completing == null) {
      TransportStages.end(this, result, thrown);
    } else {
      completing.execute(() -> TransportStages.end(this, result, thrown));
    }
  }

  /*
   * Read after "sent" is written, and written before "sent" is read: a stage that is followed while
   * the call is given up is cancelled by one thread or the other.
   */
  private void giveUp() {
    givenUp = true;
    CompletionStage<?> waiting = sent;
    if (waiting != null) {
      stop(waiting);
    }
  }

  private static void stop(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (UnsupportedOperationException e) {
      return;
    } catch (Throwable e) {
      UncaughtFailures.tell(e);
    }
  }
}
