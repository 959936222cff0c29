package io.github.penstock.core.internal.engine;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.failure.NodeWatch;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.EagerTime;
import io.github.penstock.core.spi.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Plays back answers that servers gave, and keeps what it was asked to send. */
final class RecordedTransport implements ScriptTransport {
  static final String NOSCRIPT = "NOSCRIPT No matching script. Please use EVAL.";
  private final Deque<Object> answers = new ArrayDeque<>();
  private final List<String> sent = new ArrayList<>();
  private final List<ScriptCall> calls = new ArrayList<>();
  private final List<String> costs = new ArrayList<>();
  private final List<String> libraries = new ArrayList<>();
  private final EagerTime time = new EagerTime();
  private Object node;
  private Duration left = Duration.ofDays(366);

  /** A server's error, as a client throws it; an IllegalStateException is a lost connection. */
  static final class ServerError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerError(String text) {
      super(text);
    }
  }

  static FailureClassifier classifier(ScriptTransport transport) {
    return new FailureClassifier(
        transport::failure,
        () -> true,
        NodeWatch.of(transport, TimeSource.SYSTEM),
        KnownPasswords.none());
  }

  static @Nullable TransportFailure failureOf(Throwable thrown) {
    if (thrown instanceof ServerError) {
      return TransportFailure.answered(thrown.getMessage());
    }
    return thrown instanceof IllegalStateException
        ? TransportFailure.of(FailureKind.NOT_ANSWERED)
        : null;
  }

  RecordedTransport answers(Object... more) {
    answers.addAll(List.of(more));
    return this;
  }

  /** All calls go to this node from now on. */
  void goesTo(Object newNode) {
    node = newNode;
  }

  /** No answer comes before its call has only so much time left, from now on. */
  void answersWhenLeft(Duration time) {
    left = time;
  }

  /** The clock of limiters whose calls wait for it. */
  EagerTime time() {
    return time;
  }

  /** Limiters through this transport, on its clock. */
  TransportRateLimiters limiters(RateLimiterOptions options) {
    return new TransportRateLimiters(this, options, KnownPasswords.none(), () -> {}, time);
  }

  List<String> sent() {
    return sent;
  }

  List<ScriptCall> calls() {
    return calls;
  }

  /** The first argument of each call. */
  List<String> costs() {
    return costs;
  }

  List<String> libraries() {
    return libraries;
  }

  /** An answer that is a {@link CompletableFuture} is handed out as it is. */
  @Override
  public CompletionStage<?> send(ScriptCall call) {
    sent.add(call.toString());
    calls.add(call);
    if (call.argumentCount() > 0) {
      costs.add(new String(call.argument(0), StandardCharsets.US_ASCII));
    }
    Object answer = answers.remove();
    if (answer instanceof CompletableFuture<?> held) {
      return held;
    }
    time.pass(Duration.ofNanos(Math.max(0, call.remainingNanos() - left.toNanos())));
    return answer instanceof RuntimeException failure
        ? CompletableFuture.failedFuture(failure)
        : CompletableFuture.completedFuture(answer);
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    return calls.stream().map(this::send).toList();
  }

  @Override
  public TransportFailure failure(Throwable thrown) {
    return failureOf(thrown);
  }

  @Override
  public Object node(ScriptCall call) {
    return node;
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    libraries.add(library);
    return CompletableFuture.completedFuture(null);
  }
}
