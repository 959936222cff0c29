package io.github.penstock.testkit.resp;

import org.jspecify.annotations.Nullable;

/** Sends one command and waits for its answer. */
@FunctionalInterface
public interface CommandSender {
  /**
   * The answer to a command: a Long, a Double, a Boolean, a String, a List or a Map of answers,
   * null, or a {@link RespError}.
   *
   * @throws java.io.UncheckedIOException without a connection, or without an answer in time
   */
  @Nullable Object call(String... command);

  /**
   * The answer to a command that is answered by an integer.
   *
   * @throws IllegalStateException if it is answered by anything else
   */
  default long integer(String... command) {
    if (call(command) instanceof Long integer) {
      return integer;
    }
    throw new IllegalStateException(String.join(" ", command) + " must be answered by an integer");
  }
}
