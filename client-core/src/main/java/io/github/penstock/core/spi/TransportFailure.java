package io.github.penstock.core.spi;

import io.github.penstock.core.FailureKind;
import java.net.ConnectException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of one of a client's exceptions: an error that the server answered, or a kind.
 * Immutable.
 *
 * @param serverText the server's own text, without the client's additions; null if the error is not
 *     the server's
 * @param kind its meaning; null if the server's text determines it
 */
public record TransportFailure(@Nullable String serverText, @Nullable FailureKind kind) {
  private static final int MOST_CAUSES = 32;
  private static final TransportFailure[] KINDS =
      Arrays.stream(FailureKind.values())
          .map(kind -> new TransportFailure(null, kind))
          .toArray(TransportFailure[]::new);

  /** The failure itself, without the exceptions in which futures and stages wrap it. */
  public static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (isWrapper(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof CompletionException || thrown instanceof ExecutionException;
  }

  /**
   * Returns whether time ran out: whether an exception or one of its causes is a time-out by the
   * name of its class, as clients have their own, or that of a pool that is empty. A connection
   * that was not made is none.
   */
  public static boolean isLate(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .anyMatch(one -> isTimeout(one) || one instanceof NoSuchElementException);
  }

  private static boolean isTimeout(Throwable one) {
    return one.getClass().getSimpleName().endsWith("TimeoutException")
        && !(one instanceof ConnectException);
  }

  /** The server answered this error, to the call or to one that the connection began with. */
  public static TransportFailure answered(@Nullable String text) {
    return new TransportFailure(text == null ? "" : text, null);
  }

  /**
   * Something that the client says itself: {@link FailureKind#NOT_ANSWERED} for a connection that
   * was lost or could not be made, which core reads as {@link FailureKind#NOT_SENT} within a {@link
   * NotSentException}; {@link FailureKind#UNKNOWN} for an answer that is not RESP.
   */
  public static TransportFailure of(FailureKind kind) {
    return KINDS[kind.ordinal()];
  }
}
