package io.github.penstock.compat.script;

import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.CommandSender;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** A separate key under one setting, called through an adapter at times that the test chooses. */
public final class TimedKey {
  /** When tests begin: 14 November 2023. */
  static final long START_US = 1_700_000_000_000_000L;

  private static final long MARK_MS = 4_000_000_000_000L;

  private final ScriptRunner scripts;
  private final CommandSender server;
  private final LuaScript script;
  private final List<String> tiers;
  private final String key = SubjectKey.PREFIX + ":{" + UUID.randomUUID() + "}";

  /**
   * A unique key.
   *
   * @param scripts the adapter's
   * @param server commands around the adapter
   * @param tiers the numbers of all tiers, separated by spaces
   */
  public TimedKey(
      ScriptRunner scripts, CommandSender server, ScriptAlgorithm algorithm, String tiers) {
    this.scripts = scripts;
    this.server = server;
    this.script = script(algorithm);
    this.tiers = List.of(tiers.split(" "));
  }

  public static LuaScript script(ScriptAlgorithm algorithm) {
    return Stream.of(LuaScript.values())
        .filter(script -> script.scriptName().equals(algorithm.scriptName()))
        .findFirst()
        .orElseThrow();
  }

  /** A call at a time, counted from {@link #START_US}. */
  public ScriptReply call(long cost, long afterUs) {
    return ScriptReply.of(reply(cost, afterUs));
  }

  public List<Long> reply(long cost, long afterUs) {
    return reply(Long.toString(cost), afterUs);
  }

  /** The call with a cost in any form, such as {@code 1*64}. */
  public List<Long> reply(String cost, long afterUs) {
    List<String> arguments = new ArrayList<>(List.of(cost));
    arguments.addAll(tiers);
    arguments.add(Long.toString(START_US + afterUs));
    return scripts.run(script, key, arguments);
  }

  /** A call with any arguments, which must be refused; returns the text of the refusal. */
  public String refusal(List<String> arguments) {
    try {
      List<Long> reply = scripts.run(script, key, arguments);
      return Assertions.fail(script.scriptName() + " must refuse " + arguments + ", not " + reply);
    } catch (ScriptRefusedException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  public @Nullable String stored() {
    return (String) server.call("GET", key);
  }

  /** Milliseconds to live; -1 for ever, -2 without a key. */
  public long ttlMs() {
    return server.integer("PTTL", key);
  }

  /** Gives the key a time to live that no script would, so that the next write can be seen. */
  public void mark() {
    server.call("PEXPIRE", key, Long.toString(MARK_MS));
  }

  /** Makes the key live for ever. */
  public void persist() {
    server.call("PERSIST", key);
  }

  /** True if the key was written or deleted since it was marked. */
  public boolean isWritten() {
    return ttlMs() < MARK_MS / 2;
  }
}
