package io.github.penstock.lettuce;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.connect.ClientClosing;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes clients that wait and queue within bounds, for limiters that have a client of their own.
 *
 * @param given the client's options, except for what is bounded here
 * @param step how long one step of connecting may take. No call waits for it longer than its
 *     deadline, so it has time enough for a busy machine
 */
record BoundedClients(ClientOptions given, Duration step) {
  static final ClientOptions DEFAULTS =
      ClientOptions.builder()
          .socketOptions(SocketOptions.builder().keepAlive(true).build())
          .build();

  private static final Duration LEAST_STEP = Duration.ofSeconds(1);
  private static final int QUEUE = 100_000;
  private static final Duration TOPOLOGY_AGE = Duration.ofSeconds(10);
  static final Duration CLOSING = Duration.ofSeconds(2);

  static BoundedClients of(ClientOptions given, RateLimiterOptions options) {
    Duration deadline = options.deadline();
    return new BoundedClients(given, deadline.compareTo(LEAST_STEP) < 0 ? LEAST_STEP : deadline);
  }

  RedisClient single(RedisURI uri) {
    RedisClient client = RedisClient.create(resources(step), uri);
    client.setOptions(
        bounded(given.mutate())
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
    return client;
  }

  /*
   * Does not reject commands while disconnected: Lettuce would then reject, too, what waits for a
   * node that is only about to be connected. The port sees whether a node is connected.
   */
  RedisClusterClient cluster(List<RedisURI> nodes) {
    RedisClusterClient client = RedisClusterClient.create(resources(step), nodes);
    ClusterClientOptions.Builder options =
        given instanceof ClusterClientOptions cluster
            ? cluster.mutate()
            : ClusterClientOptions.builder(given).topologyRefreshOptions(topologyRefresh());
    bounded(options);
    options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.DEFAULT);
    client.setOptions(options.build());
    return client;
  }

  /** Closes a connection. Lettuce warns of one that is still open when its client is closed. */
  static void close(StatefulConnection<?, ?> connection) {
    ClientClosing.endsWithin(CLOSING, connection.closeAsync());
  }

  /** Closes a client made here and its threads. */
  static void close(AbstractRedisClient client) {
    long millis = CLOSING.toMillis();
    try {
      // Its shutdown waits without limit for connections that may never say that they are closed.
      ClientClosing.await(
          client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS), CLOSING.multipliedBy(2));
    } finally {
      client.getResources().shutdown(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis);
    }
  }

  private static ClientResources resources(Duration step) {
    Delay reconnect =
        Delay.fullJitter(Duration.ofMillis(1), Duration.ofSeconds(1), 2, TimeUnit.MILLISECONDS);
    return ClientResources.builder()
        .reconnectDelay(reconnect)
        .nettyCustomizer(new SilenceWatch(step))
        .build();
  }

  private ClientOptions.Builder bounded(ClientOptions.Builder options) {
    return options
        .requestQueueSize(QUEUE)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(given.getSocketOptions().mutate().connectTimeout(step).build());
  }

  /* Lettuce 7 enables all triggers anyway; Lettuce 6 must be told. */
  @SuppressWarnings("deprecation")
  private static ClusterTopologyRefreshOptions topologyRefresh() {
    return ClusterTopologyRefreshOptions.builder()
        .enableAllAdaptiveRefreshTriggers()
        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
        .enablePeriodicRefresh(TOPOLOGY_AGE)
        .build();
  }
}
