package io.github.penstock.compat;

import io.github.penstock.compat.resp.Commands;
import io.github.penstock.compat.resp.RespError;
import io.github.penstock.compat.server.TestServer;
import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The forms in which the scripts can be called, which must all behave alike. */
public enum ScriptForm {
  /** EVALSHA of the minified script: what clients do. */
  MINIFIED {
    @Override
    void load(Commands server) {
      for (LuaScript script : LuaScript.values()) {
        expectAnswer(script.sha1(), server.call("SCRIPT", "LOAD", script.source()));
      }
    }

    @Override
    List<String> target(LuaScript script) {
      return List.of("EVALSHA", script.sha1());
    }
  },

  /** EVALSHA of the readable source. */
  READABLE {
    @Override
    void load(Commands server) {
      for (LuaScript script : LuaScript.values()) {
        expectAnswer(script.readableSha1(), server.call("SCRIPT", "LOAD", script.readableSource()));
      }
    }

    @Override
    List<String> target(LuaScript script) {
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
    void load(Commands server) {
      Object answer = server.call("FUNCTION", "LOAD", "REPLACE", FunctionsLibrary.SOURCE);
      expectAnswer(FunctionsLibrary.NAME, answer);
    }

    @Override
    List<String> target(LuaScript script) {
      return List.of("FCALL", script.functionName());
    }
  };

  /** True if the server can take this form. */
  public boolean worksOn(TestServer server) {
    return true;
  }

  /** Loads all scripts; an IllegalStateException if the server answers anything but their names. */
  abstract void load(Commands server);

  abstract List<String> target(LuaScript script);

  /** The whole command of a call; an IllegalArgumentException if there is no such script. */
  public String[] command(String script, List<String> keys, List<String> arguments) {
    List<String> command = new ArrayList<>(target(named(script)));
    command.add(Integer.toString(keys.size()));
    command.addAll(keys);
    command.addAll(arguments);
    return command.toArray(String[]::new);
  }

  private static LuaScript named(String name) {
    return Arrays.stream(LuaScript.values())
        .filter(script -> script.scriptName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("script must exist, not " + name));
  }

  private static void expectAnswer(String expected, Object answer) {
    if (!expected.equals(answer)) {
      String text = answer instanceof RespError error ? error.text() : String.valueOf(answer);
      throw new IllegalStateException("loading must answer " + expected + ", not " + text);
    }
  }
}
