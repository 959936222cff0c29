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
   * One server: {@code redis://[[user]:password@]host:port[/database]}.
   *
   * @param url where it is
   */
  record Single(RedisUrl url) implements ServerEndpoint {
    @Override
    public String uri() {
      String database = url.database() == 0 ? "" : "/" + url.database();
      return "redis://" + signIn(url.user(), url.password()) + hosts(List.of(url)) + database;
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
      return "redis-cluster://" + signIn(first.user(), first.password()) + hosts(nodes);
    }
  }

  /**
   * The master that sentinels name: {@code
   * redis-sentinel://[[user]:password@]host:port,host:port...
   * [?sentinelUser=...&sentinelPassword=...]#master}.
   *
   * @param masterName what they call it
   * @param sentinels where they are, and what signs in to them
   * @param user of the master and its replica; null for the default user
   * @param password null to connect to them without
   */
  record Sentinel(
      String masterName, List<RedisUrl> sentinels, @Nullable String user, @Nullable String password)
      implements ServerEndpoint {
    /** Sentinels of a master that takes everybody. */
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
              : "?sentinelUser="
                  + encoded(first.user())
                  + "&sentinelPassword="
                  + encoded(first.password());
      return "redis-sentinel://"
          + signIn(user, password)
          + hosts(sentinels)
          + ofSentinels
          + "#"
          + masterName;
    }
  }

  private static String signIn(@Nullable String user, @Nullable String password) {
    return password == null ? "" : encoded(user) + ":" + encoded(password) + "@";
  }

  private static String hosts(List<RedisUrl> urls) {
    return urls.stream().map(url -> url.host() + ":" + url.port()).collect(Collectors.joining(","));
  }

  private static String encoded(@Nullable String text) {
    return text == null ? "" : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
