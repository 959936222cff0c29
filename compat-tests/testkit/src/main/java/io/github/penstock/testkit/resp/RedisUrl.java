package io.github.penstock.testkit.resp;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is: {@code redis://[[user]:password@]host[:port][/database]}, without encryption.
 *
 * @param host a name or an address
 * @param port 1 to 65535
 * @param user null for the default user
 * @param password null to connect without
 * @param database 0 to 15 unless the server has more
 */
public record RedisUrl(
    String host, int port, @Nullable String user, @Nullable String password, int database) {
  private static final int DEFAULT_PORT = 6379;

  /** Checks the host, the port and the database. */
  public RedisUrl {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("host must not be empty");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port must be 1 to 65535, not " + port);
    }
    if (database < 0) {
      throw new IllegalArgumentException("database must be at least 0, not " + database);
    }
  }

  /** Database 0 of a server on this machine. */
  public static RedisUrl local(int port) {
    return new RedisUrl("127.0.0.1", port, null, null, 0);
  }

  /** Parses a URL; throws an IllegalArgumentException that describes the error. */
  public static RedisUrl parse(String text) {
    URI uri = URI.create(text);
    if (!"redis".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "a server's URL must be redis://[[user]:password@]host[:port][/database]");
    }
    String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
    if (!path.matches("\\d{0,6}")) {
      throw new IllegalArgumentException("database must be a number, not " + path);
    }
    String info = uri.getUserInfo();
    int colon = info == null ? -1 : info.indexOf(':');
    return new RedisUrl(
        uri.getHost(),
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        info == null || colon <= 0 ? null : info.substring(0, colon),
        info == null ? null : info.substring(colon + 1),
        path.isEmpty() ? 0 : Integer.parseInt(path));
  }

  /** The URL without user, password and database, as a client may be given it. */
  @Override
  public String toString() {
    return "redis://" + host + ":" + port;
  }
}
