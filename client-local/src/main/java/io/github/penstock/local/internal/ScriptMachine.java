package io.github.penstock.local.internal;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaUserdata;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;
import org.luaj.vm2.lib.jse.JseBaseLib;
import org.luaj.vm2.lib.jse.JseMathLib;

/**
 * Runs the shipped scripts in this process. Packed values stay Lua values here, because only
 * scripts unpack them. Not safe for use by several threads.
 */
final class ScriptMachine {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final String ERROR = "err";
  private static final Pattern PLACE = Pattern.compile("%[ds]");
  private final Globals globals = new Globals();
  private final Map<String, LuaValue> compiled = new HashMap<>();
  private final ExpiringKeys store;

  ScriptMachine(ExpiringKeys store) {
    this.store = store;
    globals.load(new JseBaseLib());
    globals.load(new PackageLib());
    globals.load(new StringLib());
    globals.load(new TableLib());
    globals.load(new JseMathLib());
    LoadState.install(globals);
    LuaC.install(globals);
    globals.get("string").set("format", function(ScriptMachine::formatted));
    LuaTable redis = new LuaTable();
    redis.set("call", function(this::call));
    redis.set("pcall", function(command -> succeeded(call(command))));
    redis.set("error_reply", function(ScriptMachine::error));
    globals.set("redis", redis);
    LuaTable packing = new LuaTable();
    packing.set("pack", function(arguments -> new LuaUserdata(copies(arguments))));
    packing.set("unpack", function(ScriptMachine::unpacked));
    packing.set("unpack_one", function(ScriptMachine::wholly));
    packing.set("unpack_limit", function(ScriptMachine::wholly));
    globals.set("cmsgpack", packing);
  }

  /**
   * Runs a script and returns the integers of its reply.
   *
   * @throws MemoryErrorException if the script answers an error
   */
  List<Long> run(String source, List<byte[]> keys, List<byte[]> arguments) {
    globals.set("KEYS", strings(keys));
    globals.set("ARGV", strings(arguments));
    LuaValue reply;
    try {
      reply = compiled.computeIfAbsent(source, text -> globals.load(text, "user_script")).call();
    } catch (LuaError e) {
      throw new MemoryErrorException("ERR " + e.getMessage());
    }
    LuaValue error = reply.get(ERROR);
    if (!error.isnil()) {
      throw new MemoryErrorException(error.tojstring());
    }
    return IntStream.rangeClosed(1, reply.length()).mapToObj(at -> reply.get(at).tolong()).toList();
  }

  private Varargs call(Varargs command) {
    String key = command.narg() > 1 ? text(command.arg(2)) : "";
    switch (command.checkjstring(1)) {
      case "TIME" -> {
        long nowUs = store.nowUs();
        LuaTable time = new LuaTable();
        time.set(1, Long.toString(nowUs / MICROS_PER_SECOND));
        time.set(2, Long.toString(nowUs % MICROS_PER_SECOND));
        return time;
      }
      case "GET" -> {
        LuaValue value = store.get(key);
        return value == null ? LuaValue.FALSE : value;
      }
      case "SET" -> {
        boolean expires = command.arg(4).tojstring().equals("PX");
        store.set(key, command.arg(3), expires ? command.arg(5).tolong() : -1);
        return LuaValue.TRUE;
      }
      case "DEL" -> {
        store.remove(key);
        return LuaValue.ONE;
      }
      default -> throw new LuaError("unknown command " + command.checkjstring(1));
    }
  }

  /* Scripts format only texts and integers; LuaJ's own function formats integers of 32 bits. */
  private static Varargs formatted(Varargs arguments) {
    Matcher place = PLACE.matcher(arguments.checkjstring(1));
    AtomicInteger at = new AtomicInteger(1);
    String text =
        place.replaceAll(
            found -> {
              LuaValue value = arguments.arg(at.incrementAndGet());
              return found.group().equals("%s")
                  ? value.tojstring()
                  : Long.toString((long) value.checkdouble());
            });
    return LuaValue.valueOf(text);
  }

  private static Varargs error(Varargs arguments) {
    LuaTable error = new LuaTable();
    error.set(ERROR, arguments.arg1());
    return error;
  }

  private static Varargs unpacked(Varargs packed) {
    if (packed.arg1().touserdata() instanceof LuaValue[] values) {
      return LuaValue.varargsOf(copies(LuaValue.varargsOf(values)));
    }
    throw new LuaError("Bad data format in input.");
  }

  /* As in Redis, for one value or for several: the offset is -1 at the end of the data. */
  private static Varargs wholly(Varargs packed) {
    return LuaValue.varargsOf(LuaValue.valueOf(-1), unpacked(packed));
  }

  private static Varargs succeeded(Varargs answer) {
    return answer.arg1().istable() ? answer : new LuaTable();
  }

  private static LuaValue[] copies(Varargs values) {
    return IntStream.rangeClosed(1, values.narg())
        .mapToObj(at -> copy(values.arg(at)))
        .toArray(LuaValue[]::new);
  }

  private static LuaValue copy(LuaValue value) {
    if (!value.istable()) {
      return value;
    }
    LuaTable copy = new LuaTable();
    for (int i = 1; i <= value.length(); i++) {
      copy.set(i, copy(value.get(i)));
    }
    return copy;
  }

  private static LuaTable strings(List<byte[]> bytes) {
    LuaTable table = new LuaTable();
    for (int i = 0; i < bytes.size(); i++) {
      table.set(i + 1, LuaString.valueOf(bytes.get(i)));
    }
    return table;
  }

  private static String text(LuaValue value) {
    LuaString bytes = value.checkstring();
    return new String(bytes.m_bytes, bytes.m_offset, bytes.m_length, StandardCharsets.UTF_8);
  }

  private static VarArgFunction function(UnaryOperator<Varargs> call) {
    return new VarArgFunction() {
      @Override
      public Varargs invoke(Varargs arguments) {
        return call.apply(arguments);
      }
    };
  }
}
