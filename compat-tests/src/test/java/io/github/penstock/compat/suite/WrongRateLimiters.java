package io.github.penstock.compat.suite;

import io.github.penstock.compat.script.TimedKey;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Limiters over one socket for each thread that are wrong on purpose: they send scripts with a
 * mistake, or send a call again after its reply was lost.
 */
final class WrongRateLimiters extends TransportRateLimiters {
  private WrongRateLimiters(WrongTransport transport, RateLimiterOptions options) {
    super(transport, options, transport::close);
  }

  static WrongRateLimiters connect(
      RedisUrl url, RateLimiterOptions options, @Nullable PlantedMistake mistake) {
    WrongTransport transport = new WrongTransport(url, options.deadline(), mistake);
    return new WrongRateLimiters(transport, options);
  }

  ScriptTransport transport() {
    return limitersTransport();
  }

  private static final class WrongTransport implements ScriptTransport {
    private final RedisUrl url;
    private final Duration timeout;
    private final @Nullable PlantedMistake mistake;
    private final Map<Thread, RespConnection> connections = new ConcurrentHashMap<>();

    WrongTransport(RedisUrl url, Duration timeout, @Nullable PlantedMistake mistake) {
      this.url = url;
      this.timeout = timeout;
      this.mistake = mistake;
    }

    @Override
    public CompletionStage<@Nullable Object> send(ScriptCall call) {
      try {
        return CompletableFuture.completedFuture(answer(call));
      } catch (UncheckedIOException lost) {
        disconnect();
        if (mistake == PlantedMistake.SENDS_AGAIN) {
          return CompletableFuture.completedFuture(answer(call));
        }
        throw lost;
      }
    }

    private @Nullable Object answer(ScriptCall call) {
      RespConnection connection = connections.get(Thread.currentThread());
      if (connection == null) {
        connection = RespConnection.open(url, timeout);
        connections.put(Thread.currentThread(), connection);
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
      command.addAll(List.of("EVAL", source(call), "1", call.keyText()));
      for (int i = 0; i < call.argumentCount(); i++) {
        command.add(new String(call.argument(i), StandardCharsets.UTF_8));
      }
      return command.toArray(String[]::new);
    }

    private String source(ScriptCall call) {
      String source = TimedKey.script(ScriptAlgorithm.named(call.scriptName())).readableSource();
      return mistake == null ? source : mistake.in(source);
    }

    @Override
    public List<CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return thrown instanceof IllegalStateException
          ? TransportFailure.answered(thrown.getMessage())
          : null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      return CompletableFuture.completedFuture(null);
    }

    private void disconnect() {
      RespConnection lost = connections.remove(Thread.currentThread());
      if (lost != null) {
        lost.close();
      }
    }

    void close() {
      connections.values().forEach(RespConnection::close);
    }
  }
}
