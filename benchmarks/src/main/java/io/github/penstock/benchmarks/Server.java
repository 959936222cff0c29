package io.github.penstock.benchmarks;

import java.net.URI;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** The server that a command uses, reached and checked. Closing it stops what was started for the command. */
final class Server implements AutoCloseable {
  private static final int OLDEST = 6;
  private final String address;
  private final RedisClient client;
  private final @Nullable AutoCloseable started;
  private final String title;

  private Server(URI url, String kind, @Nullable AutoCloseable started) {
    this.address = url.getHost() + ":" + url.getPort();
    this.client = RedisClient.builder().fromURI(url).build();
    this.started = started;
    try {
      this.title = kind + checkedVersion() + " at " + address;
    } catch (JedisException | Complaint unusable) {
      close();
      throw unusable instanceof JedisException failure
          ? ServerComplaints.of(address, failure)
          : unusable;
    }
  }

  /** Reaches the server that the options name, or starts one. Throws {@link Complaint} where that cannot be. */
  static Server open(ServerOptions options) {
    URI url = options.redis();
    return url == null ? null : new Server(url, "", null);
  }

  /** What a reader is told: kind, version and address, never a password. */
  String title() {
    return title;
  }

  /** Does something with the server; its failures become complaints. */
  void run(Consumer<RedisClient> work) {
    try {
      work.accept(client);
    } catch (JedisException failure) {
      CleanStop.check();
      throw ServerComplaints.of(address, failure);
    }
  }

  @Override
  public void close() {
    client.close();
    if (started != null) {
      try {
        started.close();
      } catch (Exception failure) {
        throw new Complaint("the server that was started did not stop: " + failure.getMessage(), failure);
      }
    }
  }

  private String checkedVersion() {
    client.ping();
    String info = client.info("server");
    String valkey = field(info, "valkey_version");
    String version = field(info, "redis_version");
    if (!version.matches("\\d+\\..*") || Integer.parseInt(version.split("\\.")[0]) < OLDEST) {
      throw new Complaint(
          String.format(
              Locale.ROOT, "%s is Redis %s: at least %d.0 is needed.", address, version, OLDEST));
    }
    if (field(info, "redis_mode").equals("cluster")) {
      throw new Complaint(address + " is a node of a cluster: give a single server.");
    }
    return valkey.isEmpty() ? "Redis " + version : "Valkey " + valkey;
  }

  private static String field(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":(.*?)\\r?$").matcher(info);
    return line.find() ? line.group(1) : "";
  }
}
