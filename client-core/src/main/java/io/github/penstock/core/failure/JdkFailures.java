package io.github.penstock.core.failure;

import io.github.penstock.core.FailureKind;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** What the JDK's own exceptions mean, and one of Netty's that every client on it throws. */
final class JdkFailures {
  private static final String NOT_TLS = "io.netty.handler.ssl.NotSslRecordException";
  private static final String ALERT = "Received fatal alert: ";

  private JdkFailures() {}

  /** What one exception means, whatever its causes; UNKNOWN if nothing is known of it. */
  static FailureKind kind(Throwable one) {
    if (isRefusedByTls(one)) {
      return FailureKind.MISCONFIGURED;
    }
    boolean transport =
        one instanceof IOException
            || one instanceof TimeoutException
            || one instanceof CancellationException
            || one instanceof UnresolvedAddressException;
    return transport ? FailureKind.NOT_ANSWERED : FailureKind.UNKNOWN;
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
