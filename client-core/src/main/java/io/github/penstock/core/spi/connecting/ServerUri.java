package io.github.penstock.core.spi.connecting;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The address of the servers, in one form for every client:
 *
 * <ul>
 *   <li>{@code redis://[[user]:password@]host[:port][/database]}: a single server
 *   <li>{@code redis-cluster://[[user]:password@]host[:port][,host[:port]...]}: some nodes of a
 *       cluster
 *   <li>{@code redis-sentinel://[[user]:password@]host[:port][,host[:port]...][/database]#master}:
 *       some sentinels and their name of the master. User, password and database are those of the
 *       master; sentinels that have their own take {@code
 *       ?sentinelUser=user&sentinelPassword=password} before the {@code #}
 * </ul>
 *
 * <p>{@code rediss} instead of {@code redis} means TLS, to sentinels too. The default port is 6379,
 * for sentinels 26379. An IPv6 address goes in brackets. Characters that have a meaning in URIs are
 * percent-encoded: a password {@code a/b} is {@code a%2Fb}. Immutable.
 */
public sealed interface ServerUri {
  /** Returns whether connections are encrypted. */
  boolean tls();

  /** User and password; null to connect without. */
  @Nullable Credentials credentials();

  /**
   * Reads a URI.
   *
   * @throws IllegalArgumentException if it is invalid; the message shows the form and never repeats
   *     the URI, which may hold a password
   */
  static ServerUri parse(String uri) {
    return new ServerUriParser(Objects.requireNonNull(uri, "uri")).parse();
  }

  /**
   * One server.
   *
   * @param address unresolved
   * @param database null if not given: then 0, or the database of the client's own configuration
   */
  record Single(
      boolean tls,
      InetSocketAddress address,
      @Nullable Credentials credentials,
      @Nullable Integer database)
      implements ServerUri {}

  /**
   * A cluster.
   *
   * @param nodes some of its nodes, unresolved, at least one
   */
  record Cluster(boolean tls, List<InetSocketAddress> nodes, @Nullable Credentials credentials)
      implements ServerUri {}

  /**
   * The master that sentinels name.
   *
   * @param sentinels some of them, unresolved, at least one
   * @param credentials of the master and its replicas
   * @param database null if not given: then 0, or the database of the client's own configuration
   * @param masterName the sentinels' name of the master
   * @param sentinelCredentials of the sentinels; null to connect to them without
   */
  record Sentinel(
      boolean tls,
      List<InetSocketAddress> sentinels,
      @Nullable Credentials credentials,
      @Nullable Integer database,
      String masterName,
      @Nullable Credentials sentinelCredentials)
      implements ServerUri {}

  /**
   * The user and password to sign in with. {@code toString()} does not show the password.
   *
   * @param user null for the default user
   * @param password at least one character
   */
  record Credentials(@Nullable String user, String password) {
    @Override
    public String toString() {
      return (user == null ? "default user" : user) + ":***";
    }
  }
}
