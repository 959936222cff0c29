package io.github.penstock.compat.suite;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.PortRateLimiters;
import io.github.penstock.core.spi.PortFailure;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Limiters over one socket for each thread that are wrong on purpose: they send scripts with a
 * mistake, or send a call again after its reply was lost.
 */
final class WrongRateLimiters extends PortRateLimiters {
  private WrongRateLimiters(WrongPort port, RateLimiterOptions options) {
    super(port, options, port::close);
  }

  static WrongRateLimiters connect(
      RedisUrl url, RateLimiterOptions options, PlantedMistake mistake, boolean sendsAgain) {
    WrongPort port = new WrongPort(url, options.deadline(), mistake, sendsAgain);
    return new WrongRateLimiters(port, options);
  }

  ScriptPort port() {
    return blockingPort();
  }

  private static final class WrongPort implements ScriptPort {
    private final RedisUrl url;
    private final Duration timeout;
    private final PlantedMistake mistake;
    private final boolean sendsAgain;
    private final Map<Thread, RespConnection> connections = new ConcurrentHashMap<>();

    WrongPort(RedisUrl url, Duration timeout, PlantedMistake mistake, boolean sendsAgain) {
      this.url = url;
      this.timeout = timeout;
      this.mistake = mistake;
      this.sendsAgain = sendsAgain;
    }

    @Override
    public @Nullable Object send(ScriptCall call) {
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
      command.addAll(List.of("EVAL", mistake.in(script(call)), "1", call.keyText()));
      for (int i = 0; i < call.argumentCount(); i++) {
        command.add(new String(call.argument(i), StandardCharsets.UTF_8));
      }
      return command.toArray(String[]::new);
    }

    private static LuaScript script(ScriptCall call) {
      return Stream.of(LuaScript.values())
          .filter(script -> script.scriptName().equals(call.scriptName()))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public List<PortReply> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(call -> PortReply.of(send(call))).toList();
    }

    @Override
    public @Nullable PortFailure failure(Throwable thrown) {
      return thrown instanceof IllegalStateException
          ? PortFailure.answered(thrown.getMessage())
          : null;
    }

    @Override
    public void loadFunctions(String library) {
      return;
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
