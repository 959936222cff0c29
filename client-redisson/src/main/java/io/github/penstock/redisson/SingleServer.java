package io.github.penstock.redisson;

import io.github.penstock.core.RateLimiterOptions;
import java.net.URI;
import java.net.URISyntaxException;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** The configuration that a URI stands for. */
final class SingleServer {
  private static final int DEFAULT_PORT = 6379;
  private static final int PING_MILLIS = 5_000;

  private SingleServer() {}

  static Config config(String uri, RateLimiterOptions options) {
    URI server = parsed(uri);
    int deadlineMillis = (int) options.deadline().toMillis();
    Config config = new Config();
    SingleServerConfig single = config.useSingleServer();
    single
        .setAddress(address(server))
        .setDatabase(database(server))
        .setRetryAttempts(0)
        .setTimeout(deadlineMillis)
        .setConnectTimeout(deadlineMillis)
        .setPingConnectionInterval(PING_MILLIS);
    return config;
  }

  private static URI parsed(String text) {
    try {
      URI uri = new URI(text);
      boolean known = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme());
      if (known && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw invalid(e.getReason());
    }
    throw invalid("it has another scheme or no host");
  }

  private static String address(URI uri) {
    String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
    int port = uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort();
    return uri.getScheme() + "://" + user + uri.getHost() + ":" + port;
  }

  private static int database(URI uri) {
    String path = uri.getPath().replaceFirst("^/", "");
    if (!path.matches("\\d{0,9}")) {
      throw invalid("its database is no number");
    }
    return path.isEmpty() ? 0 : Integer.parseInt(path);
  }

  private static IllegalArgumentException invalid(String why) {
    return new IllegalArgumentException(
        "uri must be redis://[[user]:password@]host[:port][/database] or rediss://...: " + why);
  }
}
