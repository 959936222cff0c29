package io.github.penstock.glide;

import glide.api.BaseClient;
import glide.api.GlideClient;
import glide.api.models.configuration.AdvancedGlideClientConfiguration;
import glide.api.models.configuration.BackoffStrategy;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.configuration.GlideClientConfiguration.GlideClientConfigurationBuilder;
import glide.api.models.configuration.NodeAddress;
import glide.api.models.configuration.ServerCredentials;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.ClientVersion;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Rate limiters on a Valkey GLIDE client of a single server, blocking and asynchronous.
 *
 * <p>{@code connect} creates a separate client; {@code using} takes the one that the application
 * has, and never closes it. Either way a call is sent once and is over within its deadline; at most
 * 16,384 calls wait at a time. GLIDE cannot take a call back: one whose deadline has passed, or
 * that was given up, may still be charged. Clients of clusters are refused, because they resend
 * calls on their own. Safe for use by several threads.
 */
public final class GlideRateLimiters extends AsyncTransportRateLimiters {
  private static final int IN_FLIGHT = 32_768;
  private static final String NEEDED = "glide.internal.GlideNativeBridge";
  private static final int LEAST_CONNECTING_MILLIS = 1_000;
  private static final int MOST_CONNECTING_MILLIS = 10_000;

  private GlideRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close) {
    super(transport, options, passwords, close);
  }

  /**
   * Connects to a single server. It connects in the background; while that fails, calls end as
   * {@link RateLimiterOptions#onUnavailable()} says.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code rediss} for TLS, as
   *     {@link ServerUri} describes it
   * @throws IllegalArgumentException if the URI is invalid, or of a cluster or Sentinel
   * @throws IllegalStateException if this GLIDE is too old; the message contains the remedy
   */
  public static GlideRateLimiters connect(String uri, RateLimiterOptions options) {
    requireVersion();
    if (!(ServerUri.parse(uri) instanceof ServerUri.Single single)) {
      throw new IllegalArgumentException(
          "uri must be redis:// or rediss://, of a single server: on GLIDE, no other deployment"
              + " charges a call once");
    }
    int deadlineMillis = (int) Math.max(1, options.deadline().toMillis());
    int connectingMillis =
        Math.min(Math.max(2 * deadlineMillis, LEAST_CONNECTING_MILLIS), MOST_CONNECTING_MILLIS);
    OwnGlideClient own =
        new OwnGlideClient(
            millis -> configuration(single, deadlineMillis, millis),
            options.deadline(),
            connectingMillis,
            // A TLS peer is not probed, because its certificate may be one that only GLIDE trusts.
            single.tls() ? null : single.address());
    SuppliedTransport transport = new SuppliedTransport(own, GlideFailures::of);
    Runnable close =
        () -> {
          transport.close();
          own.close();
        };
    return new GlideRateLimiters(transport, options, KnownPasswords.of(uri), close);
  }

  /**
   * Uses the application's client, and never closes it. Its request time-out ends calls that are
   * not answered, if that is earlier than their deadline.
   *
   * @param client a {@link GlideClient}
   * @throws IllegalArgumentException if it is a client of a cluster
   */
  public static GlideRateLimiters using(BaseClient client, RateLimiterOptions options) {
    requireVersion();
    GlideClient single = single(Objects.requireNonNull(client, "client"));
    return new GlideRateLimiters(
        GlideTransport.given(single, options.deadline()), options, KnownPasswords.none(), () -> {});
  }

  /**
   * Uses the application's current client, and never closes it.
   *
   * @param clients returns a {@link GlideClient}; called at once, and again, on a separate thread,
   *     while the last client is closed. It may block, and may throw
   */
  public static GlideRateLimiters using(
      Supplier<? extends BaseClient> clients, RateLimiterOptions options) {
    requireVersion();
    Objects.requireNonNull(clients, "clients");
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              GlideClient client =
                  single(Objects.requireNonNull(clients.get(), "the supplier returned null"));
              return ClientTransport.of(
                  GlideTransport.given(client, options.deadline()), client::isConnected);
            },
            GlideFailures::of);
    return new GlideRateLimiters(transport, options, KnownPasswords.none(), transport::close);
  }

  /** For the suite. */
  ScriptTransport transport() {
    return limitersTransport();
  }

  private static GlideClientConfiguration configuration(
      ServerUri.Single uri, int deadlineMillis, int connectingMillis) {
    NodeAddress address =
        NodeAddress.builder()
            .host(uri.address().getHostString())
            .port(uri.address().getPort())
            .build();
    GlideClientConfigurationBuilder<?, ?> builder =
        GlideClientConfiguration.builder()
            .address(address)
            .useTLS(uri.tls())
            .databaseId(uri.database())
            .lazyConnect(true)
            .requestTimeout(deadlineMillis)
            .inflightRequestsLimit(IN_FLIGHT)
            .reconnectStrategy(
                BackoffStrategy.builder().numOfRetries(5).factor(10).exponentBase(2).build())
            .advancedConfiguration(
                AdvancedGlideClientConfiguration.builder()
                    .connectionTimeout(connectingMillis)
                    .build());
    Credentials credentials = uri.credentials();
    if (credentials != null) {
      builder.credentials(
          ServerCredentials.builder()
              .username(credentials.user())
              .password(credentials.password())
              .build());
    }
    return builder.build();
  }

  private static GlideClient single(BaseClient client) {
    if (client instanceof GlideClient single) {
      return single;
    }
    throw new IllegalArgumentException(
        "client must be a GlideClient, of a single server: %s sends calls again by itself, so that one may be charged twice"
            .formatted(client.getClass().getSimpleName()));
  }

  private static void requireVersion() {
    String setting = "<glide.version>2.3.1</glide.version>";
    ClientVersion.require("Valkey GLIDE 2.2.0", setting, BaseClient.class, NEEDED);
  }
}
