package io.github.penstock.operations.server;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.stream.Stream;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A failure of a server or of the connection to it as a sentence with the remedy: by the code of
 * the server's error, or by the type of the exception.
 */
public final class ServerComplaint {
  private static final int LONGEST = 500;
  private static final String SIGN_IN =
      "refuses this user or password: put the right ones into the URI,"
          + " redis://user:password@host:port (redis://:password@host:port without a user);"
          + " scripts also takes --user and the environment variable PENSTOCK_PASSWORD.";
  private static final String CLUSTER =
      "is a node of a cluster: give a single server, or to scripts --redis redis-cluster://...";
  private static final Map<String, String> BY_CODE =
      Map.of(
          "NOAUTH",
          SIGN_IN,
          "WRONGPASS",
          SIGN_IN,
          "NOPERM",
          "does not let this user do that (TEXT): give another user, or give it the rules of"
              + " `penstock scripts acl`.",
          "MOVED",
          CLUSTER,
          "CLUSTERDOWN",
          CLUSTER,
          "OOM",
          "has no memory left for another key: make room, or give another server.",
          "READONLY",
          "is a replica, which cannot be written: give the address of its primary.",
          "MASTERDOWN",
          "is a replica that has lost its primary: try again later.",
          "LOADING",
          "is still loading its data: try again when it is ready.",
          "WRONGTYPE",
          "holds no string under this key, so no script of Penstock wrote it: check its name.");

  private ServerComplaint() {}

  /** The complaint about an error that a server answered. */
  public static UserErrorException of(Object address, String error) {
    return new UserErrorException(answered(address, error));
  }

  /** The complaint about a call or a connection that failed. */
  public static UserErrorException of(Object address, RuntimeException failure) {
    String sentence =
        causes(failure)
            .filter(JedisDataException.class::isInstance)
            .findFirst()
            .map(error -> answered(address, String.valueOf(error.getMessage())))
            .orElseGet(() -> connection(address, failure));
    return new UserErrorException(sentence, failure);
  }

  private static String answered(Object address, String error) {
    String sentence = BY_CODE.getOrDefault(error.split(" ", 2)[0], "answers: TEXT");
    return text(address, sentence, error);
  }

  private static String connection(Object address, RuntimeException failure) {
    Throwable last = causes(failure).reduce((before, next) -> next).orElse(failure);
    String reason = String.valueOf(last.getMessage());
    boolean untrusted =
        causes(failure)
            .anyMatch(
                each ->
                    each instanceof CertificateException
                        || each instanceof CertPathBuilderException);
    if (untrusted) {
      return "the certificate of %s is not trusted (%s): give the authority that signed it with --ca FILE, and the host by a name that stands in it."
          .formatted(address, SafeText.terminal(reason, LONGEST));
    }
    if (causes(failure).anyMatch(ServerComplaint::isUnreachable)) {
      return "no server answers at %s: start it, or correct --redis; some commands start an embedded server without --redis."
          .formatted(address);
    }
    return failure instanceof JedisConnectionException
        ? text(
            "what listens at " + address,
            "does not answer like Redis (TEXT): check host and port, and redis:// against rediss://"
                + " (TLS).",
            reason)
        : text(address, "failed: TEXT", reason);
  }

  /* The client adds each address that it could not connect to as a suppressed failure. */
  private static boolean isUnreachable(Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof UnknownHostException
        || Stream.of(failure.getSuppressed()).anyMatch(IOException.class::isInstance);
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause);
  }

  private static String text(Object address, String sentence, String text) {
    String first = text.lines().findFirst().orElse("");
    return address + " " + sentence.replace("TEXT", SafeText.terminal(first, LONGEST));
  }
}
