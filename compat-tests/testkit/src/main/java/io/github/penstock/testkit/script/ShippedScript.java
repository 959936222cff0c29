package io.github.penstock.testkit.script;

import io.github.penstock.scripts.DropInScript;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A script of the bundle: one of the protocol, of reservations, or a drop-in. */
record ShippedScript(
    String name,
    String sha1,
    String source,
    String readableSha1,
    Supplier<String> readableSource,
    String function) {
  private static final List<ShippedScript> ALL =
      Stream.of(
              Stream.of(LuaScript.values()).map(ShippedScript::of),
              Stream.of(ReservationScript.values()).map(ShippedScript::of),
              Stream.of(DropInScript.values()).map(ShippedScript::of))
          .flatMap(scripts -> scripts)
          .toList();

  static List<ShippedScript> all() {
    return ALL;
  }

  /** The script of a name; an IllegalArgumentException if there is none. */
  static ShippedScript named(String name) {
    return ALL.stream()
        .filter(script -> script.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("script must exist, not " + name));
  }

  private static ShippedScript of(LuaScript script) {
    return new ShippedScript(
        script.scriptName(),
        script.sha1(),
        script.source(),
        script.readableSha1(),
        script::readableSource,
        script.functionName());
  }

  private static ShippedScript of(ReservationScript script) {
    return new ShippedScript(
        script.scriptName(),
        script.sha1(),
        script.source(),
        script.readableSha1(),
        script::readableSource,
        script.functionName());
  }

  private static ShippedScript of(DropInScript script) {
    return new ShippedScript(
        script.scriptName(),
        script.sha1(),
        script.source(),
        script.readableSha1(),
        script::readableSource,
        script.functionName());
  }
}
