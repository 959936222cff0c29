package io.github.penstock.test;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.local.internal.MemoryServer;
import io.github.penstock.local.internal.MemoryTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls to a server of this process, which are lost as a test says. */
final class LossyTransport extends MemoryTransport {
  private final LossyServer server;
  private final Duration deadline;

  /** The server's treatment of a call. */
  enum ServerState {
    UP,
    /** No call reaches it. */
    DOWN,
    /** It runs each call, and the answer is lost. */
    ANSWERS_LOST
  }

  /** A server and how calls to it end. Safe for use by several threads. */
  static final class LossyServer {
    private final TestClock clock;
    private volatile MemoryServer memory;
    private volatile ServerState state = ServerState.UP;
    private volatile Duration latency = Duration.ZERO;

    LossyServer(TestClock clock) {
      this.clock = clock;
      memory = new MemoryServer(clock.ofServer());
    }

    /* Whose clock begins where the test's is now. */
    void forget() {
      memory = new MemoryServer(clock.ofServer());
    }

    void set(ServerState now, Duration took) {
      latency = took;
      state = now;
    }
  }

  private LossyTransport(LossyServer server, Duration deadline) {
    super(() -> server.memory);
    this.server = server;
    this.deadline = deadline;
  }

  static LossyTransport to(LossyServer server, RateLimiterOptions options) {
    return new LossyTransport(server, options.deadline());
  }

  LossyServer server() {
    return server;
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    if (server.state == ServerState.DOWN) {
      return CompletableFuture.failedFuture(
          new NotSentException(new SimulatedOutageException("the server is down")));
    }
    Duration took = server.latency;
    boolean late = took.compareTo(deadline) >= 0;
    server.clock.advance(late ? deadline : took);
    CompletionStage<? extends @Nullable Object> answer = super.send(call);
    return late || server.state == ServerState.ANSWERS_LOST
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
