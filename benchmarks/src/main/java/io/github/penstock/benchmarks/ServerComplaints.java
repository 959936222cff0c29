package io.github.penstock.benchmarks;

import java.net.UnknownHostException;
import java.util.Locale;

/** Turns what the Redis client and the limiters throw into a sentence that says what to do. */
final class ServerComplaints {
  private ServerComplaints() {}

  /**
   * The complaint for a failure of a call to the server at {@code address} (without a password).
   */
  static Complaint of(String address, RuntimeException failure) {
    return new Complaint(sentence(address, text(failure)), failure);
  }

  private static String sentence(String address, String text) {
    if (text.contains("NOAUTH")
        || text.contains("WRONGPASS")
        || text.contains("invalid password")) {
      return address
          + " refuses this user or password: put the right ones into the URL,"
          + " --redis redis://user:password@host:port (redis://:password@host:port without a user).";
    }
    if (text.contains("AUTH") && text.contains("without any password")) {
      return address + " has no password set: leave the password out of the URL.";
    }
    if (text.contains("NOPERM")) {
      return address
          + " does not let this user do that: "
          + text
          + ". Give another user in the URL.";
    }
    if (text.contains("READONLY")) {
      return address + " is a replica, which cannot be written: give the address of its primary.";
    }
    if (text.contains("MOVED ") || text.contains("CLUSTERDOWN")) {
      return address + " is a node of a cluster: give a single server.";
    }
    if (text.contains("LOADING")) {
      return address + " is still loading its data: try again when it is ready.";
    }
    if (text.contains("OOM ")) {
      return address + " has no memory left for another key: make room, or give another server.";
    }
    return unreachable(address, text);
  }

  private static String unreachable(String address, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("refused")
        || lower.contains("failed to connect")
        || lower.contains("unknown host")
        || lower.contains("connect timed out")
        || lower.contains("unreachable")) {
      return "no server answers at "
          + address
          + ": start it, or correct --redis; without --redis an embedded server is started.";
    }
    if (lower.contains("unknown reply")
        || lower.contains("unexpected end of stream")
        || lower.contains("read timed out")
        || lower.contains("ssl")) {
      return "what listens at "
          + address
          + " does not answer like Redis: check host and port, and redis:// against rediss:// (TLS).";
    }
    return address + " failed: " + text + ".";
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
