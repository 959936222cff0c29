package io.github.penstock.lettuce;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Connections of the application, none of which is closed or dropped here. For one thread at a
 * time, except for {@link #close}.
 */
final class GivenConnections implements Supplier<ClientTransport> {
  private static final int MOST_CAUSES = 32;

  private final Supplier<? extends StatefulConnection<?, ?>> connections;
  private volatile @Nullable ReconnectFailures failures;

  /** The connections that {@code connections} returns, each time that one is needed. */
  GivenConnections(Supplier<? extends StatefulConnection<?, ?>> connections) {
    this.connections = connections;
  }

  /** The connection that there is now. */
  @Override
  public ClientTransport get() {
    StatefulConnection<?, ?> connection =
        Objects.requireNonNull(connected(), "the supplier returned null");
    ReconnectFailures heard = failures(connection.getResources());
    if (!connection.isOpen()) {
      throw heard.lost();
    }
    return ClientTransport.of(transport(connection, heard), connection::isOpen);
  }

  private StatefulConnection<?, ?> connected() {
    try {
      return connections.get();
    } catch (RuntimeException e) {
      throw told(e);
    }
  }

  /**
   * The connection failure with a node's error text as its cause: Lettuce keeps that of a cluster's
   * nodes and of sentinels among suppressed exceptions.
   */
  static RuntimeException told(RuntimeException thrown) {
    return Stream.<Throwable>iterate(thrown, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .flatMap(cause -> Stream.of(cause.getSuppressed()))
        .flatMap(said -> Stream.iterate(said, Objects::nonNull, Throwable::getCause))
        .filter(said -> said instanceof RedisException || said instanceof IOException)
        .min(Comparator.comparing(said -> !(said instanceof RedisCommandExecutionException)))
        .<RuntimeException>map(said -> new RedisConnectionException(thrown.getMessage(), said))
        .orElse(thrown);
  }

  /** The failure of calls if the application has closed this connection; null if it has not. */
  static @Nullable MisconfiguredException closed(StatefulConnection<?, ?> connection) {
    return connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed()
        ? new MisconfiguredException("the connection that was passed in is closed", null)
        : null;
  }

  void close() {
    ReconnectFailures last = failures;
    if (last != null) {
      last.close();
    }
  }

  @SuppressWarnings("unchecked")
  static ScriptTransport transport(
      StatefulConnection<?, ?> connection, ReconnectFailures failures) {
    return connection instanceof StatefulRedisClusterConnection<?, ?> cluster
        ? new ClusterTransport(
            (StatefulRedisClusterConnection<byte[], byte[]>) cluster, failures, null)
        : ConnectionTransport.given((StatefulConnection<byte[], byte[]>) connection, failures);
  }

  private ReconnectFailures failures(ClientResources resources) {
    ReconnectFailures last = failures;
    if (last != null && last.isOf(resources)) {
      return last;
    }
    close();
    ReconnectFailures next = new ReconnectFailures(resources);
    failures = next;
    return next;
  }
}
