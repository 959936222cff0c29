package io.github.penstock.redisson;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisClient;
import org.redisson.client.RedisClientConfig;
import org.redisson.client.RedisConnection;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.decoder.ObjectListReplayDecoder;

/** A connection outside Redisson's pools, for the check. */
final class RedissonCheck implements CheckConnection {
  /* Core gives up before: a silent server is not one that refuses connections, and a check has as
   * long as it takes. */
  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration ANSWERING = Duration.ofMinutes(10);

  private final RedisClient client;
  private final RedisConnection connection;
  private volatile CompletableFuture<?> asked = CompletableFuture.completedFuture(null);

  private RedissonCheck(RedisClient client, RedisConnection connection) {
    this.client = client;
    this.connection = connection;
  }

  /**
   * Connects as a pool does, but for the time that this may take; and the server is not sent a PING
   * now and then, of which an unanswered one would close the connection.
   *
   * @param own of a client that was made for this; null for the application's
   */
  static RedissonCheck connected(RedisClient pool, @Nullable TlsRefusals own) {
    int millis = (int) CONNECTING.toMillis();
    // The first client is there for its copy of the configuration.
    RedisClientConfig patient =
        RedisClient.create(pool.getConfig())
            .getConfig()
            .setConnectTimeout(millis)
            .setCommandTimeout(millis)
            .setPingConnectionInterval(0);
    TlsRefusals refusals = own == null ? null : new TlsRefusals(CONNECTING);
    if (refusals != null) {
      patient.setNettyHook(refusals);
    }
    RedisClient client = RedisClient.create(patient);
    try {
      return new RedissonCheck(client, client.connect());
    } catch (RuntimeException e) {
      client.shutdownAsync();
      throw refusals == null ? e : refusals.told(e);
    }
  }

  @Override
  public void write(ScriptCall call) {
    List<Object> words = new ArrayList<>();
    words.add(call.target());
    words.add(call.keyCount());
    for (int i = 0; i < call.keyCount(); i++) {
      words.add(call.key(i));
    }
    for (int i = 0; i < call.argumentCount(); i++) {
      words.add(call.argument(i));
    }
    RedisCommand<List<Object>> command =
        new RedisCommand<>(call.verb().name(), new ObjectListReplayDecoder<>());
    asked =
        connection
            .async(ANSWERING.toMillis(), ByteArrayCodec.INSTANCE, command, words.toArray())
            .toCompletableFuture();
  }

  @Override
  public @Nullable Object read() {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  @Override
  public boolean afterReading(Runnable task) {
    return CheckConnection.afterReading(connection.getChannel().eventLoop(), task);
  }

  @Override
  public void close() {
    connection.closeAsync();
    client.shutdownAsync();
    asked.cancel(true);
  }
}
