package io.github.penstock.redisson;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.TransportFailure;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisAskException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisRedirectException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.WriteRedisConnectionException;

/** The meanings of Redisson's exceptions. */
final class RedissonFailures {
  private static final String AFTER_THE_TEXT = ". channel: ";

  /* The server's MOVED, to an address that Redisson takes for the same node. */
  private static final String REDIRECTED = "MOVED redirection loop detected";
  private static final String NO_RESP = "Can't decode replay";
  private static final String NO_SUCH_MASTER = "Master node is undefined!";

  private RedissonFailures() {}

  /** {@link io.github.penstock.core.spi.ScriptTransport#failure}. */
  static @Nullable TransportFailure of(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    if (thrown instanceof IllegalStateException && message.startsWith(NO_RESP)) {
      return TransportFailure.of(FailureKind.UNKNOWN);
    }
    if (!(thrown instanceof RedisException)) {
      return null;
    }
    if (message.startsWith(NO_SUCH_MASTER)) {
      return TransportFailure.of(FailureKind.MISCONFIGURED);
    }
    // Of the check's connection; Redisson follows the redirections of calls.
    if (thrown instanceof RedisRedirectException redirect) {
      String word = thrown instanceof RedisAskException ? "ASK " : "MOVED ";
      return TransportFailure.answered(word + redirect.getSlot() + " " + redirect.getUrl());
    }
    String text = text((RedisException) thrown, message);
    if (text != null) {
      return TransportFailure.answered(text);
    }
    // Exceptions of this class itself only wrap another one, which decides.
    return thrown.getClass() == RedisException.class
        ? null
        : TransportFailure.of(FailureKind.NOT_ANSWERED);
  }

  /* Redisson appends where it came from, and takes the code word off where memory is full. */
  private static @Nullable String text(RedisException thrown, String message) {
    if (message.startsWith(REDIRECTED)) {
      return message;
    }
    int end = message.indexOf(AFTER_THE_TEXT);
    if (end < 0) {
      return null;
    }
    String text = message.substring(0, end);
    return thrown instanceof RedisOutOfMemoryException ? "OOM " + text : text;
  }

  /**
   * Returns whether the last attempt of a call was not written: no connection could be obtained, or
   * the connection did not take the command. A failed write is another matter: some of a batch may
   * have gone.
   */
  static boolean neverLeft(RuntimeException failure) {
    return failure instanceof RedisTimeoutException
            && !(failure instanceof RedisResponseTimeoutException)
        || failure instanceof RedisConnectionException
            && !(failure instanceof WriteRedisConnectionException)
        || failure instanceof RedisNodeNotFoundException
        || failure.getCause() instanceof ConnectException
        || failure.getCause() instanceof NoRouteToHostException
        || failure.getCause() instanceof UnknownHostException;
  }
}
