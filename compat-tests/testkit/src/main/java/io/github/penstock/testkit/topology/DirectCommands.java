package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.resp.CommandSender;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.server.TestServer;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commands straight to the servers of a deployment, around the client under test, over one
 * connection to each. Safe for use by several threads, which take turns.
 */
public final class DirectCommands implements CommandSender, AutoCloseable {
  private static final int BATCH = 1_000;

  private final RedisDeployment deployment;
  private final Map<TestServer, RespConnection> connections = new HashMap<>();

  DirectCommands(RedisDeployment deployment) {
    this.deployment = deployment;
  }

  /** Sends a command to the owner of its first key, or to a master if it has no argument. */
  @Override
  public @Nullable Object call(String... command) {
    if (command.length == 1) {
      return on(deployment.masters().get(0), command);
    }
    return on(owner(command[0].equals("EVAL") ? command[3] : command[1]), command);
  }

  private TestServer owner(String key) {
    return deployment.owner(key);
  }

  /** Sends a command to one server; again if it had closed the connection since the last one. */
  public synchronized @Nullable Object on(TestServer server, String... command) {
    boolean isNew = !connections.containsKey(server);
    try {
      return connection(server).call(command);
    } catch (UncheckedIOException broken) {
      forget(server);
      if (isNew) {
        throw broken;
      }
      return on(server, command);
    }
  }

  private RespConnection connection(TestServer server) {
    return connections.computeIfAbsent(server, TestServer::connect);
  }

  /** Sends a command to one server; an IllegalStateException if it is answered with an error. */
  public @Nullable Object expect(TestServer server, String... command) {
    Object answer = on(server, command);
    if (answer instanceof RespError error) {
      throw new IllegalStateException(
          String.join(" ", command) + " on " + server.url() + ": " + error.text());
    }
    return answer;
  }

  /** Sends a command to one server; an IllegalStateException if the answer is another one. */
  public void expect(String answer, TestServer server, String... command) {
    Object given = expect(server, command);
    if (!answer.equals(given)) {
      throw new IllegalStateException(
          String.join(" ", command) + " on " + server.url() + ": " + given);
    }
  }

  /** The strings under many keys, in order; null where there is none. */
  public synchronized List<@Nullable String> getAll(List<String> keys) {
    List<@Nullable String> values = new ArrayList<>(keys.size());
    for (int from = 0; from < keys.size(); from += BATCH) {
      List<String> batch = keys.subList(from, Math.min(keys.size(), from + BATCH));
      List<TestServer> owners = batch.stream().map(this::owner).toList();
      for (int i = 0; i < batch.size(); i++) {
        connection(owners.get(i)).send("GET", batch.get(i));
      }
      for (TestServer owner : owners) {
        Object value = connection(owner).receive();
        values.add(value == null ? null : value.toString());
      }
    }
    return values;
  }

  private void forget(TestServer server) {
    RespConnection connection = connections.remove(server);
    if (connection != null) {
      connection.close();
    }
  }

  @Override
  public synchronized void close() {
    connections.values().forEach(RespConnection::close);
    connections.clear();
  }
}
