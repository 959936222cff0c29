package io.github.penstock.lettuce;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.connecting.ClientClosing;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Creates clients with bounded waits and queues, for limiters that have a separate client, and
 * their URIs in Lettuce's terms.
 *
 * @param step how long one step of connecting may take. No call waits for it longer than its
 *     deadline, so it has time enough for a busy machine
 */
record BoundedClients(Duration step) {
  private static final Duration LEAST_STEP = Duration.ofSeconds(1);
  private static final int STEPS = 5;
  /* Lettuce makes no fewer, and logs it. */
  private static final int LEAST_THREADS = 2;
  private static final int QUEUE = 100_000;
  private static final Duration TOPOLOGY_AGE = Duration.ofSeconds(10);
  static final Duration CLOSING = Duration.ofSeconds(2);

  static BoundedClients of(RateLimiterOptions options) {
    Duration deadline = options.deadline();
    return new BoundedClients(deadline.compareTo(LEAST_STEP) < 0 ? LEAST_STEP : deadline);
  }

  /** A client that does not reconnect on its own. */
  RedisClient single() {
    return single(resources(step), false);
  }

  /** A client that does not reconnect, either, with threads that no other one uses. */
  RedisClient checking() {
    return single(
        ClientResources.builder()
            .ioThreadPoolSize(LEAST_THREADS)
            .computationThreadPoolSize(LEAST_THREADS)
            .build(),
        false);
  }

  /** A client that does, on the threads of another one. */
  RedisClient reconnecting(RedisClient other) {
    return single(other.getResources(), true);
  }

  private RedisClient single(ClientResources resources, boolean reconnects) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(
        bounded(ClientOptions.builder())
            .autoReconnect(reconnects)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
    return client;
  }

  /*
   * Does not reject commands while disconnected: Lettuce would then also reject calls that wait for
   * a node whose connection is only about to be made. The transport sees whether a node is
   * connected.
   */
  RedisClusterClient cluster(ServerUri.Cluster uri) {
    List<RedisURI> nodes =
        uri.nodes().stream().map(node -> at(node, uri, uri.credentials()).build()).toList();
    RedisClusterClient client = RedisClusterClient.create(resources(step), nodes);
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder().topologyRefreshOptions(topologyRefresh());
    bounded(options);
    options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.DEFAULT);
    client.setOptions(options.build());
    return client;
  }

  /** The sentinels, and the primary that they name. */
  RedisURI sentinel(ServerUri.Sentinel uri) {
    RedisURI.Builder master =
        common(uri, uri.credentials())
            .withSentinelMasterId(uri.masterName())
            .withDatabase(Objects.requireNonNullElse(uri.database(), 0));
    for (InetSocketAddress sentinel : uri.sentinels()) {
      master.withSentinel(at(sentinel, uri, uri.sentinelCredentials()).build());
    }
    return master.build();
  }

  /** A server of this URI, or the primary that its sentinels named. */
  RedisURI server(InetSocketAddress address, ServerUri uri, @Nullable Integer database) {
    return at(address, uri, uri.credentials())
        .withDatabase(Objects.requireNonNullElse(database, 0))
        .build();
  }

  private RedisURI.Builder at(
      InetSocketAddress address, ServerUri uri, @Nullable Credentials credentials) {
    return common(uri, credentials).withHost(address.getHostString()).withPort(address.getPort());
  }

  private RedisURI.Builder common(ServerUri uri, @Nullable Credentials credentials) {
    RedisURI.Builder common = RedisURI.builder().withSsl(uri.tls()).withTimeout(step);
    if (credentials == null) {
      return common;
    }
    String user = credentials.user();
    CharSequence password = credentials.password();
    return user == null ? common.withPassword(password) : common.withAuthentication(user, password);
  }

  /**
   * Waits for a connection that is being made. Each step has its own limit, but Lettuce is known to
   * forget a connection that is lost during its handshake.
   */
  <T> T made(CompletionStage<T> connecting) {
    CompletableFuture<T> future = connecting.toCompletableFuture();
    Duration most = step.multipliedBy(STEPS);
    if (!ClientClosing.endsWithin(most, future)) {
      future.cancel(true);
      throw new RedisConnectionException("not connected within " + most.toMillis() + " ms");
    }
    return future.join();
  }

  /** Closes a connection. Lettuce warns of one that is still open when its client is closed. */
  static void close(StatefulConnection<?, ?> connection) {
    ClientClosing.endsWithin(CLOSING, connection.closeAsync());
  }

  /** Closes clients made here and their threads. */
  static void close(List<? extends AbstractRedisClient> clients) {
    long millis = CLOSING.toMillis();
    try {
      // Its shutdown waits without limit for connections that may never say that they are closed.
      ClientClosing.await(
          CompletableFuture.allOf(
              clients.stream()
                  .map(client -> shutdown(client, millis))
                  .toArray(CompletableFuture[]::new)),
          CLOSING.multipliedBy(2));
    } finally {
      clients
          .get(0)
          .getResources()
          .shutdown(0, millis, TimeUnit.MILLISECONDS)
          .awaitUninterruptibly(millis);
    }
  }

  /* Lettuce 6.0 fails if a connection ends meanwhile; the others end with the threads then. */
  private static CompletableFuture<Void> shutdown(AbstractRedisClient client, long millis) {
    try {
      return client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS);
    } catch (NoSuchElementException e) {
      return CompletableFuture.completedFuture(null);
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
        .sslOptions(SslOptions.builder().handshakeTimeout(step).build())
        .socketOptions(SocketOptions.builder().keepAlive(true).connectTimeout(step).build());
  }

  /* Lettuce 7 enables all triggers anyway; Lettuce 6 needs the explicit setting. */
  @SuppressWarnings("deprecation")
  private static ClusterTopologyRefreshOptions topologyRefresh() {
    return ClusterTopologyRefreshOptions.builder()
        .enableAllAdaptiveRefreshTriggers()
        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
        .enablePeriodicRefresh(TOPOLOGY_AGE)
        .build();
  }
}
