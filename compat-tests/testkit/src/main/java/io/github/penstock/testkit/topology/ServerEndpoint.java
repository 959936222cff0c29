package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.resp.RedisUrl;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where a client finds its server or servers. Immutable. */
public sealed interface ServerEndpoint {
  /** The URI with everything that a client needs, in the form that every adapter reads. */
  String uri();

  /**
   * One server: {@code redis://[[user]:password@]host:port[/database]}, or {@code rediss://...}.
   *
   * @param url where it is
   * @param encrypted true to connect by TLS
   */
  record Single(RedisUrl url, boolean encrypted) implements ServerEndpoint {
    /** A server without TLS. */
    public Single(RedisUrl url) {
      this(url, false);
    }

    @Override
    public String uri() {
      String database = url.database() == 0 ? "" : "/" + url.database();
      return ServerEndpoint.uri(
              encrypted ? "rediss" : "redis", url.user(), url.password(), List.of(url))
          + database;
    }
  }

  /**
   * A cluster: {@code redis-cluster://[[user]:password@]host:port,host:port...}.
   *
   * @param nodes its masters
   */
  record Cluster(List<RedisUrl> nodes) implements ServerEndpoint {
    /** Copies the list. */
    public Cluster {
      nodes = List.copyOf(nodes);
    }

    @Override
    public String uri() {
      RedisUrl first = nodes.get(0);
      return ServerEndpoint.uri("redis-cluster", first.user(), first.password(), nodes);
    }
  }

  /**
   * The master that sentinels name: {@code
   * redis-sentinel://[[user]:password@]host:port,host:port...
   * [?sentinelUser=...&sentinelPassword=...]#master}.
   *
   * @param masterName the sentinels' name of the master
   * @param sentinels their addresses, with their credentials
   * @param user of the master and its replica; null for the default user
   * @param password null to connect to them without
   */
  record Sentinel(
      String masterName, List<RedisUrl> sentinels, @Nullable String user, @Nullable String password)
      implements ServerEndpoint {
    /** Sentinels of a master that needs no sign-in. */
    public Sentinel(String masterName, List<RedisUrl> sentinels) {
      this(masterName, sentinels, null, null);
    }

    /** Copies the list. */
    public Sentinel {
      sentinels = List.copyOf(sentinels);
    }

    @Override
    public String uri() {
      RedisUrl first = sentinels.get(0);
      String ofSentinels =
          first.password() == null
              ? ""
              : "?sentinelUser=%s&sentinelPassword=%s"
                  .formatted(encoded(first.user()), encoded(first.password()));
      return ServerEndpoint.uri("redis-sentinel", user, password, sentinels)
          + ofSentinels
          + "#"
          + masterName;
    }
  }

  private static String uri(
      String scheme, @Nullable String user, @Nullable String password, List<RedisUrl> urls) {
    String signIn = password == null ? "" : encoded(user) + ":" + encoded(password) + "@";
    return urls.stream()
        .map(url -> url.host() + ":" + url.port())
        .collect(Collectors.joining(",", scheme + "://" + signIn, ""));
  }

  private static String encoded(@Nullable String text) {
    return text == null ? "" : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
