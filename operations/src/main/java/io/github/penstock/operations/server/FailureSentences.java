package io.github.penstock.operations.server;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sentences about failures of a server or of the connection to it, each found by words that the
 * failure has. In a sentence, ADDRESS is the server, TEXT all that was said, and REASON for the
 * last of it.
 */
public final class FailureSentences {
  private static final int LONGEST_TEXT = 500;
  private static final int LONGEST_REASON = 200;

  /* Behind a caller's own. */
  private static final List<Row> COMMON =
      List.of(
          row(
              "READONLY",
              "ADDRESS is a replica, which cannot be written: give the address of its primary."),
          row("LOADING", "ADDRESS is still loading its data: try again when it is ready."),
          row(
              "(?i)unknown reply|end of stream|read timed out|ssl|handshake|connection reset|broken pipe",
              "what listens at ADDRESS does not answer like Redis: check host and port, and redis://"
                  + " against rediss:// (TLS)."));

  private final String otherwise;
  private final List<Row> rows = new ArrayList<>();

  /** None yet but the common ones, and a sentence about every other failure. */
  public FailureSentences(String otherwise) {
    this.otherwise = otherwise;
  }

  /** Adds a sentence behind the others. The first whose words (a pattern) are found is said. */
  public FailureSentences on(String words, String sentence) {
    rows.add(row(words, sentence));
    return this;
  }

  private static Row row(String words, String sentence) {
    return new Row(Pattern.compile(words), sentence);
  }

  /** The complaint about an error that a server answered. */
  public UserErrorException complaint(Object address, String error) {
    return new UserErrorException(sentence(address, error, error));
  }

  /** The complaint about a call or a connection that failed. */
  public UserErrorException complaint(Object address, RuntimeException failure) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      last = t.getMessage() == null ? last : message(t);
      append(text, t);
      Stream.of(t.getSuppressed()).forEach(also -> append(text, also));
    }
    return new UserErrorException(sentence(address, text.toString(), last), failure);
  }

  /* Causes are repeated by what wraps them. */
  private static void append(StringBuilder text, Throwable failure) {
    String message = message(failure);
    if (text.indexOf(message) < 0) {
      text.append(text.isEmpty() ? "" : ": ").append(message);
    }
  }

  private static String message(Throwable failure) {
    return failure instanceof UnknownHostException
        ? "unknown host"
        : String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  private String sentence(Object address, String text, String reason) {
    return Stream.concat(rows.stream(), COMMON.stream())
        .filter(row -> row.words.matcher(text).find())
        .map(Row::sentence)
        .findFirst()
        .orElse(otherwise)
        .replace("ADDRESS", address.toString())
        .replace("TEXT", SafeText.terminal(text, LONGEST_TEXT))
        .replace("REASON", SafeText.terminal(reason, LONGEST_REASON));
  }

  private record Row(Pattern words, String sentence) {}
}
