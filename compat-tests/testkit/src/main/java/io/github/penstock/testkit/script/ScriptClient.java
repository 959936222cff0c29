package io.github.penstock.testkit.script;

import java.util.List;

/** Something that calls scripts: a connection, a client library, an adapter. */
@FunctionalInterface
public interface ScriptClient {
  /**
   * Calls a script once.
   *
   * @param script its name, such as {@code token-bucket}
   * @param keys the keys, usually one
   * @param arguments the arguments as the protocol writes them, the caller's time last
   * @return the reply, or the error that the server answered; a failure to get an answer is thrown
   */
  ScriptAnswer call(String script, List<String> keys, List<String> arguments);
}
