package io.github.penstock.compat.suite;

import io.github.penstock.scripts.LuaScript;
import java.util.Arrays;
import java.util.List;

/** A mistake that somebody who writes a limiter could make, put into the shipped scripts. */
enum PlantedMistake {
  NONE,

  /** Keeps times as floating point numbers, whose fraction is lost where they are written. */
  FLOATS(new Change("local r = after % units", "local r = 0")),

  /** Writes the state again although the call is denied. */
  WRITES_ON_DENIAL(
      new Change(
          "if cost ~= 0 and (tier_wait_us == 0 or clock_stepped_back) then", "if cost ~= 0 then"),
      new Change("cost ~= 0 and (each or clock_stepped_back)", "cost ~= 0")),

  /** Writes without a time to live. */
  FORGETS_TTL(
      new Change(
          ", next_state, \"PX\", format(\"%d\", (ahead_us + 999) / 1000 + has_now * 60000))",
          ", next_state)"),
      new Change(
          ", next_state, \"PX\", format(\"%d\", (ttl_us + 999) / 1000 + has_now * 60000))",
          ", next_state)")),

  /** Takes twice what a call costs. */
  CHARGES_TWICE(
      new Change(
          "local r = after % units",
          "after = after + (tier_wait_us == 0 and cost > 0 and cost * period_us or 0) local r = after % units"),
      new Change(
          "local left = tier_limit - after",
          "after = after + (tier_wait_us == 0 and cost > 0 and cost or 0) local left = tier_limit - after")),

  /** Tells to wait a microsecond too little. */
  WRONG_WAIT(
      new Change(
          "never_us and -1 or tier_wait_us, ahead_us",
          "never_us and -1 or tier_wait_us - 1, ahead_us"),
      new Change(
          "never_us and -1 or wait_us, reset_us", "never_us and -1 or wait_us - 1, reset_us")),

  /** Admits what any tier but the first denies. */
  IGNORES_A_TIER(
      new Change(
          "if not tier or tier_wait_us > wait_us",
          "tier_wait_us = tier and 0 or tier_wait_us if not tier or tier_wait_us > wait_us")),

  /** Admits all of several calls or none. */
  ALL_OR_NONE(new Change("granted = (left - left % each) / each", "granted = 0")),

  /** Counts a part of a unit in the older window as nothing. */
  ROUNDS_DOWN(new Change("rest > 0 and quotient + 1 or quotient", "quotient")),

  /** Tells that a window ends later than it does. */
  ENDS_LATE(
      new Change(
          "return {granted, limit, remaining, 0, reset_us, tier}",
          "return {granted, limit, remaining, 0, reset_us + 300000, tier}")),

  /** Adds one batch of tokens, however many intervals passed. */
  ONE_BATCH(new Change("missing - batches * tokens", "missing - tokens"));

  private record Change(String from, String to) {}

  private final List<Change> changes;

  PlantedMistake(Change... changes) {
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

  /** The texts to be changed that stand in no script. */
  List<String> withoutPlace() {
    return changes.stream()
        .map(Change::from)
        .filter(
            from ->
                Arrays.stream(LuaScript.values())
                    .noneMatch(script -> script.readableSource().contains(from)))
        .toList();
  }

  /** True if the script has a place for the mistake. */
  boolean changes(LuaScript script) {
    return !in(script).equals(script.readableSource());
  }
}
