package io.github.penstock.operations.node;

import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.SslOptions;

/**
 * Opens connections to the servers of a deployment.
 *
 * @param uri where it is; its own user and password come first
 * @param signIn the user for a URI without one; null for none
 * @param trusted whose certificates are good; null for those that Java trusts
 */
public record NodeAccess(
    ServerUri uri, @Nullable Credentials signIn, @Nullable SslOptions trusted) {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final String STORE_TYPE = "PKCS12";

  /** A connection to a server, which the caller closes; a UserErrorException if there is none. */
  NodeConnection open(HostAndPort address) {
    return open(address, uri.credentials() == null ? signIn : uri.credentials(), database());
  }

  NodeConnection openSentinel(HostAndPort address) {
    Credentials own =
        uri instanceof ServerUri.Sentinel sentinel ? sentinel.sentinelCredentials() : null;
    return open(address, own, 0);
  }

  private int database() {
    Integer database = null;
    if (uri instanceof ServerUri.Single single) {
      database = single.database();
    } else if (uri instanceof ServerUri.Sentinel sentinel) {
      database = sentinel.database();
    }
    return database == null ? 0 : database;
  }

  private NodeConnection open(HostAndPort address, @Nullable Credentials as, int database) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .resp2()
            .timeoutMillis(TIMEOUT_MILLIS)
            .database(database)
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
    if (as != null) {
      config.user(as.user()).password(as.password());
    }
    if (uri.tls()) {
      config.sslOptions(trusted == null ? SslOptions.builder().build() : trusted);
    }
    return NodeConnection.open(address, config.build());
  }

  /**
   * Trusts the certificates of a PEM file, and no others; host names are verified.
   *
   * @throws UserErrorException if the file does not exist
   */
  public static SslOptions trusting(Path file) {
    try (InputStream pem = Files.newInputStream(file)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(pem);
      if (certificates.isEmpty()) {
        throw new CertificateException("it has none");
      }
      KeyStore store = KeyStore.getInstance(STORE_TYPE);
      store.load(null, null);
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("ca-" + store.size(), certificate);
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      store.store(bytes, new char[0]);
      return SslOptions.builder()
          .trustStoreType(STORE_TYPE)
          .truststore(() -> new ByteArrayInputStream(bytes.toByteArray()), new char[0])
          .build();
    } catch (IOException | GeneralSecurityException failure) {
      throw new UserErrorException(
          "--ca must be a file of certificates in PEM form, which %s is not: check its path."
              .formatted(SafeText.terminal(file.toString())),
          failure);
    }
  }
}
