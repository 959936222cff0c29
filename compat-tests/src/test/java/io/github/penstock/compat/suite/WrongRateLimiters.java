package io.github.penstock.compat.suite;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespError;
import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.Limiters;
import io.github.penstock.core.spi.Reply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.core.spi.ScriptSource;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limiters over one socket that are wrong on purpose: they send scripts with a mistake, or send a
 * call again after its reply was lost. One call at a time.
 */
final class WrongRateLimiters implements RateLimiters, ScriptSource {
  private final WrongPort port;
  private final Limiters limiters;

  WrongRateLimiters(RedisUrl url, RateLimiterOptions options, Mistake mistake, boolean sendsAgain) {
    port = new WrongPort(url, options.deadline(), mistake, sendsAgain);
    limiters = new Limiters(port, options);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return limiters.limiter(policy, limit);
  }

  @Override
  public void loadFunctions() {
    return;
  }

  @Override
  public ScriptRunner scripts() {
    return limiters.scripts();
  }

  @Override
  public void close() {
    port.disconnect();
  }

  private static final class WrongPort implements ScriptPort {
    private final RedisUrl url;
    private final Duration timeout;
    private final Mistake mistake;
    private final boolean sendsAgain;
    private @Nullable RespConnection connection;

    WrongPort(RedisUrl url, Duration timeout, Mistake mistake, boolean sendsAgain) {
      this.url = url;
      this.timeout = timeout;
      this.mistake = mistake;
      this.sendsAgain = sendsAgain;
    }

    @Override
    public synchronized @Nullable Object send(ScriptCall call) {
      try {
        return answer(call);
      } catch (UncheckedIOException lost) {
        disconnect();
        if (sendsAgain) {
          return answer(call);
        }
        throw lost;
      }
    }

    private @Nullable Object answer(ScriptCall call) {
      if (connection == null) {
        connection = RespConnection.open(url, timeout);
      }
      Object answer = connection.call(command(call));
      if (answer instanceof RespError error) {
        throw new IllegalStateException(error.text());
      }
      return answer;
    }

    /* Every verb becomes an EVAL of the altered script. */
    private String[] command(ScriptCall call) {
      List<String> command = new ArrayList<>();
      command.addAll(List.of("EVAL", mistake.in(call.script()), "1", call.keyText()));
      for (int i = 0; i < call.argumentCount(); i++) {
        command.add(new String(call.argument(i), StandardCharsets.UTF_8));
      }
      return command.toArray(String[]::new);
    }

    @Override
    public List<Reply> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(call -> Reply.of(send(call))).toList();
    }

    @Override
    public @Nullable String serverError(Throwable failure) {
      return failure instanceof IllegalStateException ? failure.getMessage() : null;
    }

    @Override
    public void loadFunctions(String library) {
      return;
    }

    synchronized void disconnect() {
      if (connection != null) {
        connection.close();
        connection = null;
      }
    }
  }
}
