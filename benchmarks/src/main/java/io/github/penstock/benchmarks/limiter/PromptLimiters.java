package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.PortRateLimiters;
import io.github.penstock.core.spi.PortFailure;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limiters on a port that answers at once, without a server: what is left of a call is the share of
 * {@code client-core}. They decide nothing; whoever uses them says what is answered.
 */
public final class PromptLimiters extends PortRateLimiters {
  private final PromptPort port;

  private PromptLimiters(PromptPort port, RateLimiterOptions options) {
    super(port, options, () -> {});
    this.port = port;
  }

  /** Limiters whose calls are allowed. */
  public static PromptLimiters of(RateLimiterOptions options) {
    return new PromptLimiters(new PromptPort(), options);
  }

  /** From now on every call that is sent is allowed, or is denied with a wait of a second. */
  public void allow(boolean allowed) {
    port.answer = allowed ? PromptPort.ALLOWED : PromptPort.DENIED;
  }

  /** Answers every call alike. */
  private static final class PromptPort implements ScriptPort {
    private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
    private static final List<Long> DENIED = List.of(0L, 100L, 0L, 1_000_000L, 1_000_000L, 1L);
    private volatile List<Long> answer = ALLOWED;

    @Override
    public Object send(ScriptCall call) {
      return answer;
    }

    @Override
    public List<PortReply> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(call -> PortReply.of(answer)).toList();
    }

    @Override
    public @Nullable PortFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public void loadFunctions(String library) {
      throw new UnsupportedOperationException("there is no server");
    }
  }
}
