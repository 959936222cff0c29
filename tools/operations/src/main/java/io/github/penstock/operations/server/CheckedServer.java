package io.github.penstock.operations.server;

import io.github.penstock.core.PenstockException;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerExecutable;
import io.github.penstock.testkit.server.ServerSource;
import io.github.penstock.testkit.server.TestServer;
import java.io.File;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * The server that a command uses, reached and checked. Closing it stops a server that was started
 * for the command.
 */
public final class CheckedServer implements AutoCloseable {
  private static final int OLDEST = 6;
  private static final int TIMEOUT_MILLIS = 5_000;
  private final String address;
  private final RedisClient client;
  private final URI url;
  private final @Nullable TestServer started;
  private final String title;

  private CheckedServer(URI url, String kind, @Nullable TestServer started) {
    this.url = url;
    this.address = url.getHost() + ":" + url.getPort();
    this.client =
        RedisClient.builder()
            .hostAndPort(url.getHost(), url.getPort())
            .clientConfig(
                DefaultJedisClientConfig.builder(url).timeoutMillis(TIMEOUT_MILLIS).build())
            .build();
    this.started = started;
    try {
      this.title = kind + checkedVersion() + " at " + address;
    } catch (JedisException | UserErrorException unusable) {
      close();
      OrderlyStop.check();
      throw unusable instanceof JedisException failure
          ? ServerComplaint.of(address, failure)
          : unusable;
    }
  }

  /**
   * Reaches a running server, or starts one.
   *
   * @param url a running server; null to start one
   * @param file the executable to start; null for the embedded Redis
   * @throws UserErrorException if both are given, or the server cannot be used
   */
  public static CheckedServer open(@Nullable URI url, @Nullable String file) {
    if (url == null) {
      TestServer started = start(file);
      String kind = file == null ? "embedded " : "";
      return new CheckedServer(URI.create(started.url().toString()), kind, started);
    }
    if (file != null) {
      throw new UserErrorException(
          "--redis and --server name different servers: give only one of them.");
    }
    return new CheckedServer(url, "", null);
  }

  private static TestServer start(@Nullable String file) {
    try {
      return source(file).start();
    } catch (IllegalStateException | UncheckedIOException failure) {
      OrderlyStop.check();
      String reason = " (" + lastLine(failure) + "): ";
      throw new UserErrorException(
          file == null
              ? "the embedded Redis does not start"
                  + reason
                  + "name another with --server FILE, or one that is running with --redis URI."
              : file
                  + " does not start as a server"
                  + reason
                  + "check that it is a redis-server or valkey-server.",
          failure);
    }
  }

  /** The source of servers: the file of {@code --server}, or the embedded Redis. */
  public static ServerSource source(@Nullable String file) {
    if (file == null) {
      return new EmbeddedServer();
    }
    Path path = onPath(file);
    if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
      throw new UserErrorException(
          "--server must be an executable redis-server or valkey-server, and "
              + file
              + " is not one: check its path and its permissions.");
    }
    return new ServerExecutable(String.valueOf(path.getFileName()), path);
  }

  /* A name without a directory is searched for like a command. */
  private static Path onPath(String file) {
    String directories = file.contains("/") ? "" : System.getenv().getOrDefault("PATH", "");
    return Stream.of(directories.split(File.pathSeparator))
        .map(directory -> Path.of(directory, file))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(Path.of(file));
  }

  /** The last line that a server printed, which has the reason. */
  private static String lastLine(RuntimeException failure) {
    return String.valueOf(failure.getMessage())
        .strip()
        .lines()
        .reduce((before, last) -> last.strip())
        .orElse("without a reason");
  }

  /** Its name for people: kind, version and address, never a password. */
  public String title() {
    return title;
  }

  /** Where it is, with user and password, if it has any. */
  public URI url() {
    return url;
  }

  /** Returns whether it was started for the command, so that it has no other users. */
  public boolean isOurs() {
    return started != null;
  }

  /** Does something with the server; failures become user errors. */
  public void run(Consumer<RedisClient> work) {
    try {
      work.accept(client);
    } catch (JedisException | PenstockException failure) {
      OrderlyStop.check();
      throw ServerComplaint.of(address, failure);
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
      throw new UserErrorException(
          String.format(
              Locale.ROOT, "%s is Redis %s: at least %d.0 is needed.", address, version, OLDEST));
    }
    if (field(info, "redis_mode").equals("cluster")) {
      throw new UserErrorException(address + " is a node of a cluster: give a single server.");
    }
    // A replica and a server without memory answer everything but a write.
    try (TemporaryKeys keys = new TemporaryKeys(client)) {
      client.set(keys.prefix() + ":try", "", SetParams.setParams().px(TIMEOUT_MILLIS));
    }
    return valkey.isEmpty() ? "Redis " + version : "Valkey " + valkey;
  }

  private static String field(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":(.*?)\\r?$").matcher(info);
    return line.find() ? line.group(1) : "";
  }
}
