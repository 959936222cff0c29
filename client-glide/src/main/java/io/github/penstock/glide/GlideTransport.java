package io.github.penstock.glide;

import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.GlideString;
import glide.api.models.exceptions.ClosingException;
import glide.api.models.exceptions.TimeoutException;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call once through a GLIDE client of a single server, as a custom command: not as a
 * script of GLIDE's, which it would load and resend on its own. Safe for use by several threads.
 */
final class GlideTransport implements ScriptTransport {
  private static final Object ONE_NODE = "the server";

  /*
   * GLIDE answers a batch as a whole: the answers to its flights show that the server answers. Half of
   * the requests that a client has in flight by default, as each call may go alone after NOSCRIPT.
   */
  private static final int FLIGHT = 500;
  private static final Duration LEAST_SILENCE = Duration.ofMillis(500);
  private static final GlideString[] VERBS =
      Stream.of(ScriptCall.Verb.values())
          .map(verb -> GlideString.of(verb.name()))
          .toArray(GlideString[]::new);

  private final GlideClient client;
  private final @Nullable Runnable drop;
  private final @Nullable Supplier<CheckConnection> check;
  private final long silenceNanos;
  private final AtomicInteger underWay = new AtomicInteger();

  /** When a call was last answered, or the first of those under way began. */
  private volatile long heardNanos;

  private volatile boolean owed;

  private GlideTransport(
      GlideClient client,
      Duration deadline,
      @Nullable Runnable drop,
      @Nullable Supplier<CheckConnection> check) {
    this.client = client;
    this.drop = drop;
    this.check = check;
    silenceNanos = Math.max(deadline.toNanos(), LEAST_SILENCE.toNanos());
  }

  /**
   * One call that GLIDE has, which cannot be withdrawn: a caller that abandons it merely stops
   * waiting. Safe for use by several threads.
   */
  private final class PendingAnswer extends CompletableFuture<@Nullable Object> {
    @Override
    public boolean cancel(boolean mayInterrupt) {
      if (!isDone()) {
        replaceIfSilent();
      }
      return super.cancel(mayInterrupt);
    }
  }

  /** Calls through the application's client. */
  static GlideTransport given(GlideClient client, Duration deadline) {
    return new GlideTransport(client, deadline, null, null);
  }

  /**
   * Calls through a client that was made for this.
   *
   * @param drop replaces it
   * @param check opens a connection for the check
   */
  static GlideTransport own(
      GlideClient client, Duration deadline, Runnable drop, Supplier<CheckConnection> check) {
    return new GlideTransport(client, deadline, drop, check);
  }

  @Override
  public CompletionStage<@Nullable Object> send(ScriptCall call) {
    begin(1);
    PendingAnswer pending = new PendingAnswer();
    client
        .customCommand(command(call))
        .whenComplete(
            (answer, failure) -> {
              end(failure == null || GlideFailures.isAnswer(TransportFailure.unwrapped(failure)));
              complete(pending, failure == null ? answer : failure);
            });
    return pending;
  }

  @Override
  public boolean ordersCalls() {
    return true;
  }

  @Override
  public List<? extends CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
    begin(calls.size());
    List<PendingAnswer> pending = calls.stream().map(call -> new PendingAnswer()).toList();
    fly(calls, pending);
    return pending;
  }

  /* Sends the next flight, then the others. */
  private void fly(List<ScriptCall> calls, List<PendingAnswer> pending) {
    int size = Math.min(calls.size(), FLIGHT);
    Batch batch = new Batch(false).withBinaryOutput();
    calls.subList(0, size).forEach(call -> batch.customCommand(command(call)));
    client
        .exec(batch, false)
        .whenComplete(
            (answers, failure) -> {
              // Of calls that are late just now, all of the flight are under way still.
              for (int i = 0; i < size; i++) {
                complete(pending.get(i), answers == null ? failure : answers[i]);
              }
              calls.subList(0, size).forEach(call -> end(answers != null));
              flyOn(calls.subList(size, calls.size()), pending.subList(size, calls.size()));
            });
  }

  /* What was given up is not sent. */
  private void flyOn(List<ScriptCall> calls, List<PendingAnswer> pending) {
    if (calls.isEmpty()) {
      return;
    }
    if (pending.get(0).isDone() || calls.get(0).remainingNanos() <= 0) {
      calls.forEach(call -> end(false));
    } else {
      fly(calls, pending);
    }
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return GlideFailures.of(thrown);
  }

  @Override
  public void renew(ScriptCall call) {
    if (drop != null) {
      drop.run();
    }
  }

  @Override
  public Object node(ScriptCall call) {
    return ONE_NODE;
  }

  @Override
  public boolean checksNodes() {
    return true;
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return check == null ? GlideCheck.shared(client, () -> heardNanos) : check.get();
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return client.functionLoad(library, true);
  }

  /* Calls are about to be sent. */
  private void begin(int calls) {
    if (!owed) {
      heardNanos = System.nanoTime();
      owed = true;
    }
    underWay.addAndGet(calls);
  }

  /* A call ended, before its caller knows. */
  private void end(boolean answered) {
    if (answered) {
      heardNanos = System.nanoTime();
    }
    if (underWay.decrementAndGet() == 0 && answered) {
      owed = false;
    }
  }

  /* A call is late; only a client that was made for this is replaced. */
  private void replaceIfSilent() {
    if (drop != null && owed && System.nanoTime() - heardNanos >= silenceNanos) {
      drop.run();
    }
  }

  /* With an answer, an error that was answered, or a failure. */
  private void complete(PendingAnswer pending, @Nullable Object end) {
    if (end instanceof Throwable failure) {
      pending.completeExceptionally(told(TransportFailure.unwrapped(failure)));
    } else {
      pending.complete(converted(end));
    }
  }

  private Throwable told(Throwable thrown) {
    if (GlideFailures.isFull(thrown)) {
      return new NotSentException(late(thrown));
    }
    if (GlideFailures.isClosed(thrown)) {
      RuntimeException closed = (RuntimeException) thrown;
      return drop != null
          ? NotSentException.notConnected(closed)
          : new MisconfiguredException("the client that was passed in is closed", closed);
    }
    if (drop != null && thrown instanceof ClosingException) {
      drop.run();
    }
    if (thrown instanceof TimeoutException) {
      replaceIfSilent();
      return late(thrown);
    }
    return thrown;
  }

  /* GLIDE ran out of time, or has as many calls as it may. */
  static RuntimeException late(Throwable thrown) {
    return new CompletionException(
        thrown.getMessage(), new java.util.concurrent.TimeoutException(thrown.getMessage()));
  }

  private static @Nullable Object converted(@Nullable Object answer) {
    if (answer instanceof Object[] several) {
      return Collections.unmodifiableList(
          Arrays.asList(Stream.of(several).map(GlideTransport::converted).toArray()));
    }
    return answer instanceof GlideString text ? text.getBytes() : answer;
  }

  /** The words of a call. */
  static GlideString[] command(ScriptCall call) {
    int keys = call.keyCount();
    GlideString[] words = new GlideString[3 + keys + call.argumentCount()];
    words[0] = VERBS[call.verb().ordinal()];
    words[1] = GlideString.of(call.target());
    words[2] = GlideString.of(Integer.toString(keys).getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < keys; i++) {
      words[3 + i] = GlideString.of(call.key(i));
    }
    for (int i = 3 + keys; i < words.length; i++) {
      words[i] = GlideString.of(call.argument(i - 3 - keys));
    }
    return words;
  }
}
