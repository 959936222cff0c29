package io.github.penstock.spring.internal.client;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;

/**
 * Creates one client of Jedis 8 from Spring's connection details; safe for use by several threads.
 */
final class JedisClients implements AutoCloseable {
  private static final int CONNECTIONS = 64;
  private final Duration deadline;
  private final ObjectProvider<DataRedisConnectionDetails> details;
  private final boolean tls;
  private @Nullable UnifiedJedis client;

  /**
   * A client that has not been created yet.
   *
   * @param tls whether connections are encrypted also without a bundle, by the JVM's trust store
   */
  JedisClients(Duration deadline, ObjectProvider<DataRedisConnectionDetails> details, boolean tls) {
    this.deadline = deadline;
    this.details = details;
    this.tls = tls;
  }

  /** The client; throws while it cannot be created. */
  synchronized UnifiedJedis client() {
    if (client == null) {
      client = connect(details.getObject());
    }
    return client;
  }

  private UnifiedJedis connect(DataRedisConnectionDetails where) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS); // by default 8: requests would wait for a connection
    Sentinel sentinel = where.getSentinel();
    if (sentinel != null) {
      return RedisSentinelClient.builder()
          .masterName(sentinel.getMaster())
          .sentinels(nodes(sentinel.getNodes()))
          .clientConfig(
              config(where, where.getUsername(), where.getPassword(), sentinel.getDatabase()))
          .sentinelClientConfig(config(where, sentinel.getUsername(), sentinel.getPassword(), 0))
          .poolConfig(pool)
          .build();
    }
    if (where.getCluster() != null) {
      return RedisClusterClient.builder()
          .nodes(nodes(where.getCluster().getNodes()))
          .clientConfig(config(where, where.getUsername(), where.getPassword(), 0))
          .poolConfig(pool)
          .build();
    }
    Standalone single = where.getStandalone();
    if (single == null) {
      throw new MissingClientException(
          "The connection details name neither a server, nor Sentinel, nor a cluster.",
          "Set spring.data.redis.host, or make a client of Jedis a bean.");
    }
    return RedisClient.builder()
        .hostAndPort(single.getHost(), single.getPort())
        .clientConfig(config(where, where.getUsername(), where.getPassword(), single.getDatabase()))
        .poolConfig(pool)
        .build();
  }

  private static Set<HostAndPort> nodes(List<Node> nodes) {
    return nodes.stream()
        .map(node -> new HostAndPort(node.host(), node.port()))
        .collect(Collectors.toSet());
  }

  /*
   * The default is 2 s, so a call that has to connect would outlast its deadline. The replacements
   * of the deprecated methods take files instead of a context.
   */
  @SuppressWarnings("deprecation")
  private JedisClientConfig config(
      DataRedisConnectionDetails where,
      @Nullable String user,
      @Nullable String password,
      int database) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .timeoutMillis(Math.toIntExact(Math.max(1, deadline.toMillis() / 4)))
            .user(user)
            .password(password)
            .database(database);
    SslBundle bundle = where.getSslBundle();
    if (bundle != null) {
      config
          .ssl(true)
          .sslSocketFactory(bundle.createSslContext().getSocketFactory())
          .sslParameters(parameters(bundle.getOptions()));
    } else if (tls) {
      config.ssl(true).sslParameters(parameters(SslOptions.NONE));
    }
    return config.build();
  }

  private static SSLParameters parameters(SslOptions options) {
    SSLParameters parameters = new SSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    if (options.getCiphers() != null) {
      parameters.setCipherSuites(options.getCiphers());
    }
    if (options.getEnabledProtocols() != null) {
      parameters.setProtocols(options.getEnabledProtocols());
    }
    return parameters;
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close();
    }
  }
}
