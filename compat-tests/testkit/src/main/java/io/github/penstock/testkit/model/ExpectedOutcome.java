package io.github.penstock.testkit.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one call, and the state that it must leave behind.
 *
 * @param reply the six integers; empty for an error
 * @param error the argument that the error names, or {@link #WRONG_TYPE}; null for a reply
 * @param written true if the key was set or deleted
 * @param stored the value under the key afterwards
 */
public record ExpectedOutcome(
    List<Long> reply, @Nullable String error, boolean written, StoredValue stored) {
  /** The server's own error about a key that holds no string. */
  public static final String WRONG_TYPE = "WRONGTYPE";

  /** Checks that there is either a reply of six integers or an error, and copies the list. */
  public ExpectedOutcome {
    reply = List.copyOf(reply);
    if (reply.size() != (error == null ? 6 : 0)) {
      throw new IllegalArgumentException("reply must have six integers, or none and an error");
    }
  }

  static ExpectedOutcome error(String error, StoredValue stored) {
    return new ExpectedOutcome(List.of(), error, false, stored);
  }

  /** True if the call was answered, and with at least 1. */
  public boolean allowed() {
    return error == null && reply.get(0) >= 1;
  }

  /** The wait in µs of a reply. */
  public long waitUs() {
    return reply.get(3);
  }

  /** The reset in µs of a reply. */
  public long resetUs() {
    return reply.get(4);
  }
}
