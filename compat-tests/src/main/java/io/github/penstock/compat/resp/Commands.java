package io.github.penstock.compat.resp;

import org.jspecify.annotations.Nullable;

/** Sends one command and waits for its answer. */
@FunctionalInterface
public interface Commands {
  /**
   * The answer to a command: a Long, a Double, a Boolean, a String, a List or a Map of answers,
   * null, or a {@link RespError}.
   *
   * @throws java.io.UncheckedIOException if there is no connection, or no answer in time
   */
  @Nullable Object call(String... command);
}
