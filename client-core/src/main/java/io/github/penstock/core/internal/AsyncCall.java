package io.github.penstock.core.internal;

import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * EVALSHA, NOSCRIPT, EVAL, asynchronous: the one place where a call is sent a second time, and only
 * after the answer that proves that it did not run. It is what its caller waits for, what the port
 * tells, and what the deadline ends, all in one object. Safe for use by several threads.
 */
final class AsyncCall<T> extends CompletableFuture<T>
    implements BiConsumer<@Nullable Object, @Nullable Throwable> {
  private final AsyncScriptPort port;
  private final ScriptCall call;
  private final Reading<T> reading;
  private final Deadlines.Entry entry;
  private volatile @Nullable CompletionStage<?> sent;
  private volatile boolean bySource;

  AsyncCall(AsyncScriptPort port, ScriptCall call, Reading<T> reading) {
    this.port = port;
    this.call = call;
    this.reading = reading;
    entry = new Deadlines.Entry(this, call.deadlineNanos());
  }

  Deadlines.Entry entry() {
    return entry;
  }

  AsyncCall<T> send(ScriptCall toSend) {
    CompletionStage<?> stage;
    try {
      stage = port.send(toSend);
    } catch (RuntimeException e) {
      fail(e);
      return this;
    }
    return follow(stage);
  }

  AsyncCall<T> follow(CompletionStage<?> stage) {
    sent = stage;
    stage.whenComplete(this);
    return this;
  }

  @Override
  public void accept(@Nullable Object answer, @Nullable Throwable thrown) {
    if (thrown != null) {
      fail(unwrapped(thrown));
    } else if (entry.claim()) {
      try {
        complete(reading.answered(call, answer));
      } catch (RuntimeException e) {
        completeExceptionally(e);
      }
    }
  }

  /** The deadline has passed, and nobody else completed this call. */
  void expire() {
    CompletionStage<?> waiting = sent;
    TimeoutException late = new TimeoutException("no answer within the deadline");
    fail(Failure.of(new CompletionException(late.getMessage(), late), null, call));
    if (waiting != null) {
      waiting.toCompletableFuture().cancel(true);
    }
  }

  /** There is no answer; sends once more if the failure proves that the server lacks the script. */
  void fail(RuntimeException thrown) {
    String text = Failure.serverText(thrown, port::serverError);
    if (Failure.isNoScript(text) && !bySource && call.remainingNanos() > 0) {
      bySource = true;
      send(call.bySource());
    } else if (entry.claim()) {
      fail(Failure.of(thrown, text, call));
    }
  }

  private void fail(Failure failure) {
    try {
      complete(reading.failed(call, failure));
    } catch (RuntimeException e) {
      completeExceptionally(e);
    }
  }

  private static RuntimeException unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }
}
