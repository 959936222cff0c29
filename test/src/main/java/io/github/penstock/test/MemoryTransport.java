package io.github.penstock.test;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.local.MemoryErrorException;
import io.github.penstock.local.MemoryServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls to a server of this process, which are lost as a test says. */
final class MemoryTransport implements AsyncScriptTransport {
  private final MemoryServer server;
  private final TestClock clock;
  private final Duration deadline;
  private volatile ServerState state = ServerState.UP;
  private volatile Duration latency = Duration.ZERO;

  /** What the server does with a call. */
  enum ServerState {
    UP,
    /** No call reaches it. */
    DOWN,
    /** It runs each call, and the answer is lost. */
    ANSWERS_LOST
  }

  MemoryTransport(TestClock clock, Duration deadline) {
    this.clock = clock;
    this.deadline = deadline;
    server = new MemoryServer(clock);
  }

  void set(ServerState now, Duration took) {
    latency = took;
    state = now;
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    if (state == ServerState.DOWN) {
      return CompletableFuture.failedFuture(
          new NotSentException(new SimulatedOutageException("the server is down")));
    }
    Duration took = latency;
    boolean late = took.compareTo(deadline) >= 0;
    clock.advance(late ? deadline : took);
    List<Long> answer;
    try {
      answer = server.answer(call);
    } catch (MemoryErrorException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    return late || state == ServerState.ANSWERS_LOST
        ? CompletableFuture.failedFuture(new SimulatedOutageException("no answer came"))
        : CompletableFuture.completedFuture(answer);
  }

  @Override
  public List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return calls.stream().map(this::send).toList();
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    if (thrown instanceof SimulatedOutageException) {
      return TransportFailure.of(FailureKind.NOT_ANSWERED);
    }
    return thrown instanceof MemoryErrorException error
        ? TransportFailure.answered(error.text())
        : null;
  }

  @Override
  public Object node(ScriptCall call) {
    return "memory";
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.completedFuture(library);
  }
}
