package io.github.penstock.benchmarks;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.ServerSource;
import io.github.penstock.compat.server.TestServer;
import io.github.penstock.core.PenstockException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The server that a command uses, reached and checked. Closing it stops what was started for the
 * command.
 */
public final class Server implements AutoCloseable {
  private static final int OLDEST = 6;
  private static final int TIMEOUT_MILLIS = 5_000;
  private final String address;
  private final RedisClient client;
  private final URI url;
  private final @Nullable TestServer started;
  private final String title;

  private Server(URI url, String kind, @Nullable TestServer started) {
    this.url = url;
    this.address = url.getHost() + ":" + url.getPort();
    this.client = client(url);
    this.started = started;
    try {
      this.title = kind + checkedVersion() + " at " + address;
    } catch (JedisException | Complaint unusable) {
      close();
      CleanStop.check();
      throw unusable instanceof JedisException failure
          ? ServerComplaints.of(address, failure)
          : unusable;
    }
  }

  private static RedisClient client(URI url) {
    return RedisClient.builder()
        .hostAndPort(url.getHost(), url.getPort())
        .clientConfig(DefaultJedisClientConfig.builder(url).timeoutMillis(TIMEOUT_MILLIS).build())
        .build();
  }

  /**
   * Reaches the server that the options name, or starts one. Throws {@link Complaint} where that
   * cannot be.
   */
  public static Server open(ServerOptions options) {
    URI url = options.redis();
    if (url != null && options.server() != null) {
      throw new Complaint("--redis and --server are two servers: give one of them.");
    }
    if (url != null) {
      return new Server(url, "", null);
    }
    TestServer started = start(options.server());
    String kind = options.server() == null ? "embedded " : "";
    return new Server(URI.create(started.url().toString()), kind, started);
  }

  private static TestServer start(@Nullable String file) {
    return file == null
        ? start(source(null), "the embedded Redis does not start", "give one with --redis URL")
        : start(
            source(file),
            file + " does not start as a server",
            "check that it is a redis-server or valkey-server");
  }

  /** What servers can be started from: the file of {@code --server}, or the embedded Redis. */
  public static ServerSource source(@Nullable String file) {
    if (file == null) {
      return new EmbeddedServer();
    }
    Path path = Path.of(file);
    if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
      throw new Complaint(
          "--server must be an executable redis-server or valkey-server, and "
              + file
              + " is none: check its path and its permissions.");
    }
    return new Executable(String.valueOf(path.getFileName()), path);
  }

  private static TestServer start(ServerSource source, String problem, String advice) {
    try {
      return source.start();
    } catch (IllegalStateException | UncheckedIOException failure) {
      CleanStop.check();
      throw new Complaint(problem + " (" + lastLine(failure) + "): " + advice + ".", failure);
    }
  }

  /** Of a server's last words, the last: there the reason stands. */
  private static String lastLine(RuntimeException failure) {
    return String.valueOf(failure.getMessage())
        .strip()
        .lines()
        .reduce((before, last) -> last.strip())
        .orElse("without a reason");
  }

  /** What a reader is told: kind, version and address, never a password. */
  public String title() {
    return title;
  }

  /** Where it is, with user and password, if it has any. */
  public URI url() {
    return url;
  }

  /** Whether it was started for the command, so that nobody else uses it. */
  public boolean isOurs() {
    return started != null;
  }

  /** Does something with the server; its failures become complaints. */
  public void run(Consumer<RedisClient> work) {
    try {
      work.accept(client);
    } catch (JedisException | PenstockException failure) {
      CleanStop.check();
      throw ServerComplaints.of(address, failure);
    }
  }

  @Override
  public void close() {
    client.close();
    if (started != null) {
      started.close();
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
