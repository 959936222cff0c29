package io.github.penstock.redisson;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import java.net.InetSocketAddress;
import java.util.List;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;

/** The configuration that a URI describes. */
final class UriConfiguration {
  private static final int PING_MILLIS = 5_000;
  private static final int SCAN_MILLIS = 250;
  private static final int LEAST_MILLIS = 100;

  private UriConfiguration() {}

  /**
   * A configuration with the deadline, but at least 100 ms, as the time-out for connecting and for
   * the first commands of a connection. One connection is enough to begin with; calls make more.
   */
  static Config bounded(ServerUri uri, RateLimiterOptions options) {
    int deadlineMillis = (int) Math.max(LEAST_MILLIS, options.deadline().toMillis());
    Config config = new Config();
    BaseConfig<?> servers = place(config, uri);
    servers
        .setRetryAttempts(0)
        .setTimeout(deadlineMillis)
        .setConnectTimeout(2 * deadlineMillis)
        .setPingConnectionInterval(PING_MILLIS);
    if (servers instanceof SingleServerConfig single) {
      single.setConnectionMinimumIdleSize(1).setSubscriptionConnectionMinimumIdleSize(0);
    } else if (servers instanceof BaseMasterSlaveServersConfig<?> several) {
      several
          .setMasterConnectionMinimumIdleSize(1)
          .setSlaveConnectionMinimumIdleSize(1)
          .setSubscriptionConnectionMinimumIdleSize(0);
    }
    if (servers instanceof SentinelServersConfig sentinel) {
      sentinel.setScanInterval(SCAN_MILLIS);
    }
    return config;
  }

  /* Redisson 4 moved user and password to Config, where Redisson 3 does not have them. */
  @SuppressWarnings("deprecation")
  private static BaseConfig<?> place(Config config, ServerUri uri) {
    BaseConfig<?> servers = servers(config, uri);
    Credentials credentials = uri.credentials();
    if (credentials != null) {
      servers.setUsername(credentials.user());
      servers.setPassword(credentials.password());
    }
    return servers;
  }

  private static BaseConfig<?> servers(Config config, ServerUri uri) {
    if (uri instanceof ServerUri.Cluster cluster) {
      ClusterServersConfig servers = config.useClusterServers();
      servers.setNodeAddresses(addresses(uri, cluster.nodes()));
      return servers;
    }
    if (uri instanceof ServerUri.Sentinel sentinel) {
      // Redisson would refuse to begin where fewer than two sentinels answer.
      SentinelServersConfig servers = config.useSentinelServers().setCheckSentinelsList(false);
      servers.setSentinelAddresses(addresses(uri, sentinel.sentinels()));
      servers.setMasterName(sentinel.masterName());
      if (sentinel.database() != null) {
        servers.setDatabase(sentinel.database());
      }
      Credentials credentials = sentinel.sentinelCredentials();
      if (credentials != null) {
        servers.setSentinelUsername(credentials.user());
        servers.setSentinelPassword(credentials.password());
      }
      return servers;
    }
    ServerUri.Single single = (ServerUri.Single) uri;
    SingleServerConfig server = config.useSingleServer();
    server.setAddress(address(uri, single.address()));
    return single.database() == null ? server : server.setDatabase(single.database());
  }

  private static List<String> addresses(ServerUri uri, List<InetSocketAddress> nodes) {
    return nodes.stream().map(node -> address(uri, node)).toList();
  }

  private static String address(ServerUri uri, InetSocketAddress node) {
    String host = node.getHostString();
    return (uri.tls() ? "rediss://" : "redis://")
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + node.getPort();
  }
}
