package io.github.penstock.compat.topology;

import io.github.penstock.compat.resp.RedisUrl;
import java.util.List;

/** Where a client finds its server or servers. Immutable. */
public sealed interface Endpoint {
  /**
   * One server.
   *
   * @param url where it is
   */
  record Single(RedisUrl url) implements Endpoint {
    /** The URL with everything that it needs: {@code redis://[[user]:password@]host:port[/db]}. */
    public String uri() {
      return Endpoint.uri(url);
    }
  }

  /**
   * A cluster.
   *
   * @param nodes its masters
   */
  record Cluster(List<RedisUrl> nodes) implements Endpoint {
    /** Copies the list. */
    public Cluster {
      nodes = List.copyOf(nodes);
    }

    /** Where its masters are, as {@link Single#uri()} puts it. */
    public List<String> uris() {
      return nodes.stream().map(Endpoint::uri).toList();
    }
  }

  /**
   * The master that sentinels name.
   *
   * @param masterName what they call it
   * @param sentinels where they are
   */
  record Sentinel(String masterName, List<RedisUrl> sentinels) implements Endpoint {
    /** Copies the list. */
    public Sentinel {
      sentinels = List.copyOf(sentinels);
    }

    /** Where the sentinels are, as {@link Single#uri()} puts it. */
    public List<String> uris() {
      return sentinels.stream().map(Endpoint::uri).toList();
    }
  }

  private static String uri(RedisUrl url) {
    String user = url.user() == null ? "" : url.user();
    String signIn = url.password() == null ? "" : user + ":" + url.password() + "@";
    String database = url.database() == 0 ? "" : "/" + url.database();
    return "redis://" + signIn + url.host() + ":" + url.port() + database;
  }
}
