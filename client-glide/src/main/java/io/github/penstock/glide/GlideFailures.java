package io.github.penstock.glide;

import glide.api.models.exceptions.ClosingException;
import glide.api.models.exceptions.ConnectionException;
import glide.api.models.exceptions.GlideException;
import glide.api.models.exceptions.TimeoutException;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.TransportFailure;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meanings of GLIDE's exceptions. GLIDE changes the first word of a server's error: {@code
 * NOSCRIPT text} becomes {@code An error was signalled by the server: - NoScriptError: text}, and
 * any other {@code CODE text} becomes {@code CODE: text}.
 */
final class GlideFailures {
  private static final Pattern CONNECTING =
      Pattern.compile(
          "Standalone connect failed - \\w+: Received error(?: for address `[^`]*`)?: ");

  private static final Pattern KNOWN_CODE =
      Pattern.compile("An error was signalled by the server: ?- (\\w+)(?:: (.*))?", Pattern.DOTALL);

  private static final Pattern OTHER_CODE =
      Pattern.compile("([A-Z][A-Z0-9_]*): (.*)", Pattern.DOTALL);

  private static final String NO_TEXT = "Unknown extension error encountered";

  private static final Map<String, String> CODES =
      Map.ofEntries(
          Map.entry("ResponseError", "ERR"),
          Map.entry("NoScriptError", "NOSCRIPT"),
          Map.entry("BusyLoadingError", "LOADING"),
          Map.entry("ExecAbortError", "EXECABORT"),
          Map.entry("Moved", "MOVED"),
          Map.entry("Ask", "ASK"),
          Map.entry("TryAgain", "TRYAGAIN"),
          Map.entry("ClusterDown", "CLUSTERDOWN"),
          Map.entry("CrossSlot", "CROSSSLOT"),
          Map.entry("MasterDown", "MASTERDOWN"),
          Map.entry("ReadOnly", "READONLY"),
          Map.entry("NotBusy", "NOTBUSY"),
          Map.entry("PermissionDenied", "NOPERM"));

  private static final String FULL = "reached maximum inflight requests";
  private static final Pattern CLOSED = Pattern.compile("Client (?:is )?closed\\b");
  /* Of a call that finds its client closed just now. */
  private static final String GONE = "Client not found in handle_table";
  private static final String NO_PRIMARY = "No primary node found";
  private static final String ENDED = "connection driver unexpectedly terminated";
  private static final String FOREIGN = "an answer that is no RESP";

  /* Mistakes that GLIDE says in its own words when it connects. */
  private static final List<String> MISTAKES =
      List.of(
          "Redis server refused to switch database",
          "Redis Server doesn't support HELLO",
          "invalid peer certificate",
          // for a peer that does not speak TLS
          "received corrupt message of type InvalidContentType");

  private GlideFailures() {}

  /** {@link io.github.penstock.core.spi.ScriptTransport#failure}. */
  static @Nullable TransportFailure of(Throwable thrown) {
    if (!(thrown instanceof GlideException)) {
      return null;
    }
    String message = String.valueOf(thrown.getMessage()).strip();
    Matcher connecting = CONNECTING.matcher(message);
    boolean unconnected = connecting.lookingAt();
    String text = unconnected ? message.substring(connecting.end()) : message;
    if (text.equals(FOREIGN)) {
      return TransportFailure.of(FailureKind.UNKNOWN);
    }
    if (isReplica(thrown)) {
      return TransportFailure.answered("READONLY " + NO_PRIMARY);
    }
    if (MISTAKES.stream().anyMatch(text::contains)) {
      return TransportFailure.of(FailureKind.MISCONFIGURED);
    }
    String answered = answered(text);
    if (answered != null) {
      return TransportFailure.answered(answered);
    }
    return unconnected
            || thrown instanceof TimeoutException
            || thrown instanceof ClosingException
            || thrown instanceof ConnectionException
        ? TransportFailure.of(FailureKind.NOT_ANSWERED)
        : null;
  }

  /** Returns whether the server answered this error. */
  static boolean isAnswer(Throwable thrown) {
    TransportFailure failure = of(thrown);
    return failure != null && failure.serverText() != null;
  }

  /** Returns whether GLIDE did not take a call because it has as many as it may. */
  static boolean isFull(Throwable thrown) {
    return thrown instanceof GlideException && String.valueOf(thrown.getMessage()).contains(FULL);
  }

  /** Returns whether a client could not connect because the server says that it is a replica. */
  static boolean isReplica(Throwable thrown) {
    return thrown instanceof GlideException
        && String.valueOf(thrown.getMessage()).contains(NO_PRIMARY);
  }

  /** Returns whether a connection ended while it was made. */
  static boolean isEnded(Throwable thrown) {
    return thrown instanceof GlideException && String.valueOf(thrown.getMessage()).contains(ENDED);
  }

  /** The failure of a client that connected to a peer other than a Redis server. */
  static GlideException foreign() {
    return new ConnectionException(FOREIGN);
  }

  /** Returns whether the client was closed before the call. */
  static boolean isClosed(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    return thrown instanceof ClosingException && CLOSED.matcher(message).lookingAt()
        || thrown instanceof GlideException && message.contains(GONE);
  }

  /* The server's own text; null if it did not say this. */
  private static @Nullable String answered(String text) {
    Matcher known = KNOWN_CODE.matcher(text);
    if (known.matches()) {
      String code = CODES.getOrDefault(known.group(1), known.group(1));
      return known.group(2) == null ? code : code + " " + known.group(2);
    }
    Matcher other = OTHER_CODE.matcher(text);
    if (!other.matches()) {
      return null;
    }
    return other.group(2).equals(NO_TEXT) ? other.group(1) : other.group(1) + " " + other.group(2);
  }
}
