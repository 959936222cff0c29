package io.github.penstock.lettuce;

import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import io.lettuce.core.RedisURI;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A URI in Lettuce's own terms.
 *
 * @param timeout of the handshake
 */
record RedisUris(Duration timeout) {
  RedisURI single(ServerUri.Single uri) {
    return at(uri.address(), uri.tls(), uri.credentials())
        .withDatabase(Objects.requireNonNullElse(uri.database(), 0))
        .build();
  }

  List<RedisURI> cluster(ServerUri.Cluster uri) {
    return uri.nodes().stream()
        .map(node -> at(node, uri.tls(), uri.credentials()).build())
        .toList();
  }

  RedisURI sentinel(ServerUri.Sentinel uri) {
    RedisURI.Builder master =
        common(uri.tls(), uri.credentials())
            .withSentinelMasterId(uri.masterName())
            .withDatabase(Objects.requireNonNullElse(uri.database(), 0));
    for (InetSocketAddress sentinel : uri.sentinels()) {
      master.withSentinel(at(sentinel, uri.tls(), uri.sentinelCredentials()).build());
    }
    return master.build();
  }

  /** The primary that sentinels named. */
  RedisURI primary(ServerUri.Sentinel uri, InetSocketAddress address) {
    return at(address, uri.tls(), uri.credentials())
        .withDatabase(Objects.requireNonNullElse(uri.database(), 0))
        .build();
  }

  private RedisURI.Builder at(
      InetSocketAddress address, boolean tls, @Nullable Credentials credentials) {
    return common(tls, credentials).withHost(address.getHostString()).withPort(address.getPort());
  }

  private RedisURI.Builder common(boolean tls, @Nullable Credentials credentials) {
    RedisURI.Builder uri = RedisURI.builder().withSsl(tls).withTimeout(timeout);
    if (credentials == null) {
      return uri;
    }
    String user = credentials.user();
    CharSequence password = credentials.password();
    return user == null ? uri.withPassword(password) : uri.withAuthentication(user, password);
  }
}
