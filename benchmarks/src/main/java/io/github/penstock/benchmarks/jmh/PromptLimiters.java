package io.github.penstock.benchmarks.jmh;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.TransportRateLimiters;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.TransportReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limiters on a transport that answers immediately, without a server: the remaining cost of a call
 * is the share of {@code client-core}. They make no decision; their user supplies the answer.
 */
final class PromptLimiters extends TransportRateLimiters {
  private final PromptPort transport;

  private PromptLimiters(PromptPort transport, RateLimiterOptions options) {
    super(transport, options, () -> {});
    this.transport = transport;
  }

  /** Limiters whose calls are allowed. */
  static PromptLimiters of(RateLimiterOptions options) {
    return new PromptLimiters(new PromptPort(), options);
  }

  /** From now on every call that is sent is allowed, or is denied with a wait of a second. */
  void allow(boolean allowed) {
    transport.answer = allowed ? PromptPort.ALLOWED : PromptPort.DENIED;
  }

  /** Answers every call alike. */
  private static final class PromptPort implements ScriptTransport {
    private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
    private static final List<Long> DENIED = List.of(0L, 100L, 0L, 1_000_000L, 1_000_000L, 1L);
    private volatile List<Long> answer = ALLOWED;

    @Override
    public Object send(ScriptCall call) {
      return answer;
    }

    @Override
    public List<TransportReply> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(call -> TransportReply.of(answer)).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public void loadFunctions(String library) {
      throw new UnsupportedOperationException("there is no server");
    }
  }
}
