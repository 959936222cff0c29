package io.github.penstock.compat.suite;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** A key of its own under one setting, called through an adapter at times that the test chooses. */
final class TimedKey {
  /** When tests begin: 14 November 2023. */
  static final long START_US = 1_700_000_000_000_000L;

  /** What a caller's time adds to the time to live. */
  static final long PADDING_MS = 60_000;

  private static final long MARK_MS = 4_000_000_000_000L;

  private final ScriptRunner scripts;
  private final Trial trial;
  private final LuaScript script;
  private final List<String> tiers;
  private final String key = "penstock-suite:{" + Trial.unique() + "}";

  TimedKey(Trial trial, Algorithm algorithm, String tiers) {
    this(trial, trial.scripts(), algorithm, tiers);
  }

  TimedKey(Trial trial, ScriptRunner scripts, Algorithm algorithm, String tiers) {
    this.trial = trial;
    this.scripts = scripts;
    this.script = script(algorithm);
    this.tiers = List.of(tiers.split(" "));
  }

  static LuaScript script(Algorithm algorithm) {
    return Stream.of(LuaScript.values())
        .filter(script -> script.scriptName().equals(algorithm.scriptName()))
        .findFirst()
        .orElseThrow();
  }

  /** A call at a time, counted from {@link #START_US}. */
  Six call(long cost, long afterUs) {
    return Six.of(reply(cost, afterUs));
  }

  List<Long> reply(long cost, long afterUs) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(cost)));
    arguments.addAll(tiers);
    arguments.add(Long.toString(START_US + afterUs));
    return scripts.run(script, key, arguments);
  }

  /** A call with any arguments, which must be refused; returns what the refusal says. */
  String refusal(List<String> arguments) {
    try {
      List<Long> reply = scripts.run(script, key, arguments);
      return Assertions.fail(script.scriptName() + " must refuse " + arguments + ", not " + reply);
    } catch (ScriptRefusedException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @Nullable String stored() {
    return (String) trial.server().call("GET", key);
  }

  /** Milliseconds to live; -1 for ever, -2 without a key. */
  long ttlMs() {
    return (Long) trial.server().call("PTTL", key);
  }

  /** Gives the key a time to live that no script would, so that the next write can be seen. */
  void mark() {
    trial.server().call("PEXPIRE", key, Long.toString(MARK_MS));
  }

  /** Makes the key live for ever. */
  void persist() {
    trial.server().call("PERSIST", key);
  }

  /** True if the key was written or deleted since it was marked. */
  boolean isWritten() {
    return ttlMs() < MARK_MS / 2;
  }
}
