package io.github.penstock.core.internal.failure;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import org.jspecify.annotations.Nullable;

/** The part of a failure's message after policy and key: the reason and the remedy. */
final class FailureWords {
  private static final String NO_FUNCTION =
      "the function %s is not on this server: call loadFunctions() once, and again after a flush";
  private static final String CLUSTER =
      "this is a node of a cluster: use redis-cluster://, or a client for clusters; it answered ";
  private static final String REPLICA =
      "the node has not written for 10 s, so this is a replica's address: give the primary's, or"
          + " that of Sentinel or a cluster; it answered ";

  private FailureWords() {}

  /** The text for a reply that is not RESP and may contain any bytes. */
  static String noResp(String words) {
    return "what answers is no Redis server: " + words.replaceAll("\\p{Cntrl}+", " ");
  }

  /**
   * The words.
   *
   * @param cause the client's own exception
   * @param telling which of its causes decided the kind
   */
  static String of(
      ScriptCall call,
      FailureKind kind,
      RuntimeException cause,
      Throwable telling,
      @Nullable ServerError error) {
    if (kind != FailureKind.MISCONFIGURED || error == null) {
      return words(cause, telling);
    }
    return switch (error.rule()) {
      case "MOVED", "ASK" -> CLUSTER + error.text();
      case "READONLY" -> REPLICA + error.text();
      case "ERR penstock" -> error.text().substring(error.text().indexOf("penstock "));
      case "ERR Function not found" -> NO_FUNCTION.formatted(call.targetText());
      default -> error.text();
    };
  }

  /* The client's message, and the cause that decided the kind, unless the message repeats it. */
  private static String words(RuntimeException cause, Throwable telling) {
    String words = words(cause);
    boolean repeats =
        telling == cause
            || telling instanceof NotSentException
            || words.contains(telling.toString())
            || words.equals(telling.getMessage());
    return repeats ? words : words + " (" + telling.toString().lines().findFirst().orElse("") + ")";
  }

  /* The message; if the exception only wraps another one, that one's. */
  static String words(Throwable cause) {
    Throwable telling = cause;
    Throwable wrapped = telling.getCause();
    while (wrapped != null && wrapped.toString().equals(telling.getMessage())) {
      telling = wrapped;
      wrapped = telling.getCause();
    }
    return telling.getMessage() == null ? telling.getClass().getName() : telling.getMessage();
  }
}
