package io.github.penstock.cli;

import io.github.penstock.report.console.UserErrorException;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Turns what the Redis client and the limiters throw into a sentence that says what to do. */
final class ServerErrors {
  /* The words of a failure, and the sentence about it; the first that fits. */
  private static final Map<String, String> SENTENCES = new LinkedHashMap<>();

  static {
    SENTENCES.put(
        "NOAUTH|WRONGPASS|invalid password",
        "ADDRESS refuses this user or password: put the right ones into the URL,"
            + " --redis redis://user:password@host:port (redis://:password@host:port without a user).");
    SENTENCES.put(
        "AUTH.*without any password",
        "ADDRESS has no password set: leave the password out of the URL.");
    SENTENCES.put(
        "NOPERM", "ADDRESS does not let this user do that: TEXT. Give another user in the URL.");
    SENTENCES.put(
        "READONLY",
        "ADDRESS is a replica, which cannot be written: give the address of its primary.");
    SENTENCES.put("MOVED |CLUSTERDOWN", "ADDRESS is a node of a cluster: give a single server.");
    SENTENCES.put("LOADING", "ADDRESS is still loading its data: try again when it is ready.");
    SENTENCES.put(
        "OOM ", "ADDRESS has no memory left for another key: make room, or give another server.");
    SENTENCES.put(
        "(?i)refused|failed to connect|unknown host|connect timed out|unreachable",
        "no server answers at ADDRESS: start it, or correct --redis; without --redis an embedded server is started.");
    SENTENCES.put(
        "(?i)unknown reply|unexpected end of stream|read timed out|ssl",
        "what listens at ADDRESS does not answer like Redis: check host and port, and redis:// against rediss:// (TLS).");
  }

  private ServerErrors() {}

  /**
   * The complaint for a failure of a call to the server at {@code address} (without a password).
   */
  static UserErrorException of(String address, RuntimeException failure) {
    return new UserErrorException(sentence(address, text(failure)), failure);
  }

  private static String sentence(String address, String text) {
    return SENTENCES.entrySet().stream()
        .filter(known -> Pattern.compile(known.getKey()).matcher(text).find())
        .map(known -> known.getValue().replace("ADDRESS", address).replace("TEXT", text))
        .findFirst()
        .orElse(address + " failed: " + text + ".");
  }

  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = failure; t != null && text.length() < 500; t = t.getCause()) {
      String message =
          t instanceof UnknownHostException ? "unknown host" : String.valueOf(t.getMessage());
      if (text.indexOf(message) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(message.lines().findFirst().orElse(""));
      }
      for (Throwable also : t.getSuppressed()) {
        text.append(": ").append(also.getMessage());
      }
    }
    return text.toString();
  }
}
