package io.github.penstock.simulator.replay;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection to a server. Commands are sent as they come, in their order; answers are read when
 * {@value #AHEAD} commands are ahead of them, so that the server always has work. Safe for use by
 * several threads.
 */
final class ServerLane implements AutoCloseable {
  private static final int AHEAD = 2_000;
  private final Connection connection;
  private final TaskSequence tasks;
  private final Queue<ServerCommand> unanswered = new ArrayDeque<>();

  ServerLane(RedisClient client, Executor threads) {
    connection = client.getPool().getResource();
    tasks = new TaskSequence(threads);
  }

  /** Returns a stage that completes when they are sent. */
  CompletableFuture<Void> send(List<ServerCommand> commands) {
    return tasks.add(() -> exchange(commands));
  }

  /** Returns a stage that completes when everything is answered. */
  CompletableFuture<Void> end() {
    return tasks.add(() -> read(0));
  }

  private void exchange(List<ServerCommand> commands) {
    for (ServerCommand command : commands) {
      connection.sendCommand(command.arguments());
      unanswered.add(command);
    }
    connection.getMany(0);
    read(AHEAD);
  }

  private void read(int left) {
    while (unanswered.size() > left) {
      unanswered.remove().answered(answer());
    }
  }

  private @Nullable Object answer() {
    try {
      return connection.getUnflushedObject();
    } catch (JedisDataException refused) {
      return refused;
    }
  }

  /** Gives the connection back. No task may be running. */
  @Override
  public void close() {
    if (!unanswered.isEmpty()) {
      connection.setBroken();
    }
    connection.close();
  }
}
