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
  /** EVALSHA of the minified script: what clients do. */
  MINIFIED {
    @Override
    public void load(CommandSender server) {
      for (ShippedScript script : ShippedScript.all()) {
        expectAnswer(script.sha1(), server.call("SCRIPT", "LOAD", script.source()));
      }
    }

    @Override
    List<String> target(ShippedScript script) {
      return List.of("EVALSHA", script.sha1());
    }
  },

  /** EVALSHA of the readable source. */
  READABLE {
    @Override
    public void load(CommandSender server) {
      for (ShippedScript script : ShippedScript.all()) {
        String source = script.readableSource().get();
        expectAnswer(script.readableSha1(), server.call("SCRIPT", "LOAD", source));
      }
    }

    @Override
    List<String> target(ShippedScript script) {
      return List.of("EVALSHA", script.readableSha1());
    }
  },

  /** FCALL of the Functions library: from Redis 7.0 on. */
  FUNCTION {
    @Override
    public boolean worksOn(TestServer server) {
      return server.hasFunctions();
    }

    @Override
    public void load(CommandSender server) {
      @Nullable Object answer = server.call("FUNCTION", "LOAD", "REPLACE", FunctionsLibrary.SOURCE);
      expectAnswer(FunctionsLibrary.NAME, answer);
    }

    @Override
    List<String> target(ShippedScript script) {
      return List.of("FCALL", script.function());
    }
  };

  /** True if the server can take this form. */
  public boolean worksOn(TestServer server) {
    return true;
  }

  /** Loads all scripts; an IllegalStateException if the server answers anything but their names. */
  public abstract void load(CommandSender server);

  abstract List<String> target(ShippedScript script);

  /** The whole command of a call; an IllegalArgumentException if there is no such script. */
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
