package io.github.penstock.test;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.local.MemoryServer;
import io.github.penstock.local.MemoryTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls to a server of this process, which are lost as a test says. */
final class LossyTransport extends MemoryTransport {
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

  LossyTransport(TestClock clock, Duration deadline) {
    super(new MemoryServer(clock));
    this.clock = clock;
    this.deadline = deadline;
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
    CompletionStage<? extends @Nullable Object> answer = super.send(call);
    return late || state == ServerState.ANSWERS_LOST
        ? CompletableFuture.failedFuture(new SimulatedOutageException("no answer came"))
        : answer;
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return thrown instanceof SimulatedOutageException
        ? TransportFailure.of(FailureKind.NOT_ANSWERED)
        : super.failure(thrown);
  }
}
