package io.github.penstock.testkit.script;

import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.testkit.resp.CommandSender;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The forms in which the scripts can be called, which must all behave alike. */
public enum ScriptForm {
  /** EVALSHA of the minified script, the form that clients use. */
  MINIFIED,
  /** EVALSHA of the readable source. */
  READABLE,
  /** FCALL of the Functions library: from Redis 7.0 on. */
  FUNCTION;

  /** True if the server can take this form. */
  public boolean worksOn(TestServer server) {
    return this != FUNCTION || server.hasFunctions();
  }

  /**
   * Loads all scripts.
   *
   * @return calls them through this connection, and is as safe for use by several threads as that
   * @throws IllegalStateException if the server answers anything but their names
   */
  public ScriptClient load(CommandSender server) {
    if (this == FUNCTION) {
      String library = FunctionsLibrary.SOURCE;
      expectAnswer(FunctionsLibrary.NAME, server.call("FUNCTION", "LOAD", "REPLACE", library));
    } else {
      for (ShippedScript script : ShippedScript.all()) {
        String source = this == MINIFIED ? script.source() : script.readableSource().get();
        expectAnswer(target(script).get(1), server.call("SCRIPT", "LOAD", source));
      }
    }
    return (script, keys, arguments) ->
        ScriptAnswer.of(server.call(command(script, keys, arguments)));
  }

  private List<String> target(ShippedScript script) {
    return switch (this) {
      case MINIFIED -> List.of("EVALSHA", script.sha1());
      case READABLE -> List.of("EVALSHA", script.readableSha1());
      case FUNCTION -> List.of("FCALL", script.function());
    };
  }

  /** The whole command of a call; throws an IllegalArgumentException for an unknown script. */
  public String[] command(String script, List<String> keys, List<String> arguments) {
    List<String> command = new ArrayList<>(target(ShippedScript.named(script)));
    command.add(Integer.toString(keys.size()));
    command.addAll(keys);
    command.addAll(arguments);
    return command.toArray(String[]::new);
  }

  private static void expectAnswer(String expected, @Nullable Object answer) {
    if (!expected.equals(answer)) {
      String text = answer instanceof RespError error ? error.text() : String.valueOf(answer);
      throw new IllegalStateException("loading must answer " + expected + ", not " + text);
    }
  }
}
