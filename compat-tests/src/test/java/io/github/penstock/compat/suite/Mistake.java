package io.github.penstock.compat.suite;

import io.github.penstock.scripts.LuaScript;
import java.util.List;

/** A mistake that somebody who writes a limiter could make, put into the shipped scripts. */
enum Mistake {
  NONE,

  /** Keeps times as floating point numbers, whose fraction is lost where they are written. */
  FLOATS(new Change("local r = used % units", "local r = 0")),

  /** Writes the state again although the call is denied. */
  WRITES_ON_DENIAL(new Change("or cost == 0 or not cut then", "or cost == 0 then")),

  /** Writes without a time to live. */
  FORGETS_TTL(
      new Change(
          "call(\"SET\", key, next_state, \"PX\", format(\"%d\", (ttl_us + 999) / 1000 + surplus * 60000))",
          "call(\"SET\", key, next_state)")),

  /** Takes twice what a call costs. */
  CHARGES_TWICE(
      new Change("used = used + need\n", "used = used + need + (need > 0 and need or 0)\n"),
      new Change("used = used + cost\n", "used = used + cost + (cost > 0 and cost or 0)\n")),

  /** Tells to wait a microsecond too little. */
  WRONG_WAIT(
      new Change(
          "wait_us == never_us and -1 or wait_us, reset_us",
          "wait_us == never_us and -1 or wait_us > 0 and cost > 0 and wait_us - 1 or wait_us, reset_us")),

  /** Admits what any tier but the first denies. */
  IGNORES_A_TIER(
      new Change(
          "if wait == 0 and (wait_us == 0 or cost == 0) then",
          "if first > 2 then wait = 0 end\n    if wait == 0 and (wait_us == 0 or cost == 0) then"));

  private record Change(String from, String to) {}

  private final List<Change> changes;

  Mistake(Change... changes) {
    this.changes = List.of(changes);
  }

  /** The script with the mistake in it, where it has a place for it. */
  String in(LuaScript script) {
    String source = script.readableSource();
    for (Change change : changes) {
      source = source.replace(change.from, change.to);
    }
    return source;
  }

  /** True if the script has a place for the mistake. */
  boolean changes(LuaScript script) {
    return !in(script).equals(script.readableSource());
  }
}
