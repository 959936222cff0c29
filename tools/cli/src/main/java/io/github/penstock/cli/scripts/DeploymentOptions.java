package io.github.penstock.cli.scripts;

import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import io.github.penstock.operations.node.NodeAccess;
import io.github.penstock.report.console.UserErrorException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The servers that a command connects to, and its user. */
final class DeploymentOptions {
  /** The environment variable that holds the password of a URI without one. */
  static final String PASSWORD = "PENSTOCK_PASSWORD";

  @Option(
      names = "--redis",
      paramLabel = "URI",
      required = true,
      description = {
        "redis://host:port, redis-cluster://host:port,host:port or"
            + " redis-sentinel://host:port,host:port#master; rediss in place of redis for TLS.",
        "user:password@ may stand before the hosts, percent-encoded. Otherwise the environment"
            + " variable "
            + PASSWORD
            + " is the password, if it is set."
      })
  private String redis = "";

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "the user of " + PASSWORD + "; the default user if left out.")
  private @Nullable String user;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "for TLS: the certificates to trust, in PEM form, in place of Java's own.")
  private @Nullable Path authorities;

  /** Reads the options; a UserErrorException if they do not fit together. */
  NodeAccess access() {
    ServerUri uri = uri();
    if (authorities != null && !uri.tls()) {
      throw new UserErrorException("--ca is for TLS: give a URI that begins with rediss.");
    }
    String password = System.getenv(PASSWORD);
    boolean given = password != null && !password.isEmpty();
    if (user != null && (!given || uri.credentials() != null)) {
      throw new UserErrorException(
          "--user goes with the password in %s, and a URI without one: set it, or write user:password@ into the URI."
              .formatted(PASSWORD));
    }
    return new NodeAccess(
        uri,
        given ? new Credentials(user, password) : null,
        authorities == null ? null : NodeAccess.trusting(authorities));
  }

  private ServerUri uri() {
    try {
      return ServerUri.parse(redis);
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException("--redis: " + wrong.getMessage() + ".", wrong);
    }
  }
}
