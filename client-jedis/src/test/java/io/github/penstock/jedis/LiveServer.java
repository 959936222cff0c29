package io.github.penstock.jedis;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.embedded.RedisServer;
import redis.embedded.RedisServerBuilder;

/** A real Redis 7.0 on a free port, which a test may stop, let go on and flush. */
final class LiveServer implements AutoCloseable {
  private final RedisServer server;
  private final RedisClient client;
  private final HostAndPort address;
  private final String pid;

  LiveServer(String... settings) {
    int port = freePort();
    RedisServerBuilder builder = new RedisServerBuilder().port(port).bind("127.0.0.1");
    builder.setting("save \"\"").setting("dir " + directory());
    List.of(settings).forEach(builder::setting);
    server = builder.build();
    server.start();
    address = new HostAndPort("127.0.0.1", port);
    client = RedisClient.create(address);
    pid = client.info("server").replaceAll("(?s).*process_id:(\\d+).*", "$1");
  }

  String uri() {
    return "redis://" + address;
  }

  HostAndPort address() {
    return address;
  }

  /** A client for the test's own commands. */
  RedisClient client() {
    return client;
  }

  void freeze() {
    signal("STOP");
  }

  void thaw() {
    signal("CONT");
  }

  long calls(String command) {
    String line = client.info("commandstats");
    int at = line.indexOf("cmdstat_" + command + ":calls=");
    return at < 0
        ? 0
        : Long.parseLong(line.substring(line.indexOf('=', at) + 1, line.indexOf(',', at)));
  }

  @Override
  public void close() {
    thaw();
    client.close();
    server.stop();
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort() > 55_000 ? freePort() : socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException("no free port", e);
    }
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, pid).start().waitFor(5, TimeUnit.SECONDS);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("no signal to " + pid, e);
    }
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("penstock-redis");
    } catch (IOException e) {
      throw new IllegalStateException("no directory for Redis", e);
    }
  }
}
