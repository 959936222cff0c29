package io.github.penstock.operations.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;

/**
 * The servers that share a command's work: several of those that are started for it, or the one
 * that was given.
 */
public final class ServerGroup implements AutoCloseable {
  private final List<CheckedServer> servers = new ArrayList<>();

  private ServerGroup() {}

  /**
   * Reaches a running server, or starts several.
   *
   * @param url a running server; null to start them
   * @param file the executable to start; null for the embedded Redis
   * @param number how many to start, at least 1
   */
  public static ServerGroup open(@Nullable URI url, @Nullable String file, int number) {
    ServerGroup group = new ServerGroup();
    try {
      do {
        group.servers.add(CheckedServer.open(url, file));
      } while (group.servers.get(0).isOurs() && group.servers.size() < number);
      return group;
    } catch (RuntimeException failure) {
      group.close();
      throw failure;
    }
  }

  /** The name of the first for people, and how many there are, if there are more. */
  public String title() {
    String first = servers.get(0).title();
    int others = servers.size() - 1;
    return others == 0 ? first : first + " and " + others + " more";
  }

  /** Does something with the servers; failures become user errors. */
  public void run(Consumer<List<RedisClient>> work) {
    run(new ArrayList<>(), work);
  }

  private void run(List<RedisClient> found, Consumer<List<RedisClient>> work) {
    if (found.size() == servers.size()) {
      work.accept(List.copyOf(found));
      return;
    }
    servers
        .get(found.size())
        .run(
            client -> {
              found.add(client);
              run(found, work);
            });
  }

  @Override
  public void close() {
    servers.forEach(CheckedServer::close);
  }
}
