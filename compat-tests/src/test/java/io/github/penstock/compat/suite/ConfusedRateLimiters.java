package io.github.penstock.compat.suite;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.resp.RespReader;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous limiters over one socket for each of a few threads, with a bounded queue before
 * them, that may have a mistake about failures in them.
 */
final class ConfusedRateLimiters extends AsyncTransportRateLimiters {
  private ConfusedRateLimiters(
      ConfusedTransport transport, RateLimiterOptions options, KnownPasswords passwords) {
    // Calls that share trips would not fill the queue.
    super(transport, options.toBuilder().shareTrips(false).build(), passwords, transport::close);
  }

  static ConfusedRateLimiters connect(
      RedisUrl url, RateLimiterOptions options, @Nullable PlantedMistake mistake) {
    KnownPasswords passwords =
        mistake == PlantedMistake.SHOWS_PASSWORD
            ? KnownPasswords.none()
            : KnownPasswords.none().and(url.password());
    return new ConfusedRateLimiters(new ConfusedTransport(url, mistake), options, passwords);
  }

  /** A connection for the check. */
  private static final class ConfusedCheck implements CheckConnection {
    private final RespConnection connection;
    private List<String> asked = List.of();

    ConfusedCheck(RespConnection connection) {
      this.connection = connection;
    }

    @Override
    public void write(ScriptCall call) {
      asked = List.of(ConfusedTransport.command(call));
    }

    @Override
    public @Nullable Object read() {
      Object answer = connection.call(asked.toArray(String[]::new));
      if (answer instanceof RespError error) {
        throw new IllegalStateException(error.text());
      }
      return answer;
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  private static final class ConfusedTransport implements ScriptTransport {
    private static final Duration CHECKING = Duration.ofMinutes(10);
    private static final int THREADS = 4;
    private static final int MOST_WAITING = 1_000;

    private final RedisUrl url;
    private final @Nullable PlantedMistake mistake;
    private final ThreadLocal<@Nullable RespConnection> connections = new ThreadLocal<>();
    private final ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MOST_WAITING),
            work -> {
              Thread thread = new Thread(work, "penstock-confused");
              thread.setDaemon(true);
              return thread;
            });

    ConfusedTransport(RedisUrl url, @Nullable PlantedMistake mistake) {
      this.url = url;
      this.mistake = mistake;
    }

    @Override
    public CompletableFuture<@Nullable Object> send(ScriptCall call) {
      CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
      try {
        threads.execute(() -> answer(call, stage));
      } catch (RejectedExecutionException full) {
        Throwable late = new TimeoutException(full.getMessage());
        stage.completeExceptionally(new NotSentException(new CompletionException("full", late)));
      }
      return stage;
    }

    @Override
    public boolean checksNodes() {
      return mistake != PlantedMistake.OPENS_FOR_FULL_BOUND;
    }

    @Override
    public CheckConnection openCheck(ScriptCall call) {
      return new ConfusedCheck(RespConnection.open(url, CHECKING));
    }

    private void answer(ScriptCall call, CompletableFuture<@Nullable Object> stage) {
      try {
        Object answer = connection(call).call(command(call));
        if (answer instanceof RespError error) {
          stage.completeExceptionally(new IllegalStateException(error.text()));
        } else {
          stage.complete(answer);
        }
      } catch (RuntimeException failure) {
        connections.remove();
        stage.completeExceptionally(failure);
      }
    }

    private RespConnection connection(ScriptCall call) {
      RespConnection connection = connections.get();
      if (connection == null) {
        try {
          connection = RespConnection.open(url, Duration.ofNanos(call.remainingNanos()));
        } catch (UncheckedIOException failure) {
          throw mistake == PlantedMistake.SAYS_IT_WAS_SENT
              ? new IllegalArgumentException(failure.getMessage())
              : NotSentException.notConnected(failure);
        }
        connections.set(connection);
      }
      return connection;
    }

    private static String[] command(ScriptCall call) {
      List<String> command = new ArrayList<>();
      command.addAll(List.of(call.verb().name(), call.targetText(), "1", call.keyText()));
      for (int i = 0; i < call.argumentCount(); i++) {
        command.add(new String(call.argument(i), StandardCharsets.UTF_8));
      }
      return command.toArray(String[]::new);
    }

    @Override
    public List<CompletableFuture<@Nullable Object>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      if (!(thrown instanceof IllegalStateException || thrown instanceof ProtocolException)) {
        return null;
      }
      String text = String.valueOf(thrown.getMessage());
      if (text.endsWith(RespReader.TLS)) {
        return TransportFailure.of(
            mistake == PlantedMistake.OPENS_FOR_ALERT
                ? FailureKind.NOT_ANSWERED
                : FailureKind.MISCONFIGURED);
      }
      boolean opens =
          mistake == PlantedMistake.OPENS_FOR_PASSWORD && text.startsWith("WRONGPASS")
              || mistake == PlantedMistake.OPENS_FOR_FULL_MEMORY && text.contains("OOM");
      return opens ? TransportFailure.of(FailureKind.UNAVAILABLE) : TransportFailure.answered(text);
    }

    @Override
    public CompletableFuture<?> loadFunctions(String library) {
      throw new UnsupportedOperationException("nothing here calls functions");
    }

    void close() {
      threads.shutdownNow();
    }
  }
}
