package io.github.penstock.core.internal.failure;

import io.github.penstock.core.FailureKind;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The meanings of the JDK's own exceptions, and of one of Netty's that every client on it throws.
 */
final class JdkFailures {
  private static final String NOT_TLS = "io.netty.handler.ssl.NotSslRecordException";
  private static final String KEY_STORE = "java.security.KeyStore";
  private static final String CONNECTION_REFUSED = "Connection refused";
  private static final String ALERT = "Received fatal alert: ";

  /** How many causes of an exception are looked at. */
  static final int MOST_CAUSES = 32;

  private JdkFailures() {}

  /** The meaning of one exception, without its causes; UNKNOWN if nothing is known of it. */
  static FailureKind kind(Throwable one) {
    if (isRefusedByTls(one) || isOfKeyStore(one)) {
      return FailureKind.MISCONFIGURED;
    }
    boolean transport =
        one instanceof IOException
            || one instanceof TimeoutException
            || one instanceof CancellationException
            || one instanceof UnresolvedAddressException;
    return transport ? FailureKind.NOT_ANSWERED : FailureKind.UNKNOWN;
  }

  /** Whether nothing listens at the address: in an exception or one of its causes. */
  static boolean isUnreachable(Throwable top) {
    return causes(top)
        .anyMatch(
            one ->
                one instanceof ConnectException
                    || String.valueOf(one.getMessage()).contains(CONNECTION_REFUSED));
  }

  private static Stream<Throwable> causes(Throwable top) {
    return Stream.iterate(top, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
  }

  /**
   * Whether an exception is one of the client's or of its settings, such as an invalid port or
   * protocol: if a client only wraps it, its connection was not lost.
   */
  static boolean isMistake(Throwable one) {
    return one instanceof IllegalArgumentException
        || one instanceof IllegalStateException && !(one instanceof CancellationException)
        || one instanceof NullPointerException
        || one instanceof ClassCastException;
  }

  /* Such as one that has PEM in it; of a password that is wrong the cause says so. */
  private static boolean isOfKeyStore(Throwable one) {
    return one instanceof IOException
        && Stream.of(one.getStackTrace()).anyMatch(at -> at.getClassName().equals(KEY_STORE));
  }

  /* A certificate that one side does not accept, or a side that does not speak TLS. */
  private static boolean isRefusedByTls(Throwable one) {
    return one instanceof GeneralSecurityException
        || one instanceof SSLPeerUnverifiedException
        || one instanceof SSLException && isRefusal(String.valueOf(one.getMessage()))
        || one.getClass().getName().equals(NOT_TLS);
  }

  private static boolean isRefusal(String message) {
    return message.startsWith("Unsupported or unrecognized SSL message")
        || message.startsWith("No appropriate protocol")
        || message.contains(ALERT) && !message.endsWith("internal_error");
  }
}
