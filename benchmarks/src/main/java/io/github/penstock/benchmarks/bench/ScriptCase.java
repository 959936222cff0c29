package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.GatewayScript;
import io.github.penstock.core.Limit;
import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A script to be measured alone.
 *
 * @param what as {@link ScriptCost#what}
 * @param form as {@link ScriptCost#form}
 * @param tiers as {@link ScriptCost#tiers}
 * @param allowed whether its calls are allowed, once each key was called once
 * @param load the command that brings it to the server
 * @param call what a call begins with: EVALSHA or FCALL, and which
 * @param keySuffixes what its keys end with, one key each
 * @param arguments what follows the keys
 */
record ScriptCase(
    String what,
    String form,
    int tiers,
    boolean allowed,
    List<String> load,
    List<String> call,
    List<String> keySuffixes,
    List<String> arguments) {

  /** Everything that is measured on a server. */
  static List<ScriptCase> all(boolean functions) {
    List<ScriptCase> cases = new ArrayList<>(floors());
    for (Algorithm algorithm : Algorithm.values()) {
      for (boolean allowed : new boolean[] {true, false}) {
        for (int tiers : new int[] {1, 2, 3, 5}) {
          cases.add(shipped(algorithm, tiers, allowed));
        }
        cases.add(readable(algorithm, allowed));
        if (functions) {
          cases.add(function(algorithm, allowed));
        }
      }
    }
    cases.add(gateway(true));
    cases.add(gateway(false));
    return cases;
  }

  /** The scripts that only make the same server commands. */
  static List<ScriptCase> floors() {
    return List.of(
        floor(Floor.EMPTY_SCRIPT, true),
        floor(Floor.SAME_COMMANDS, true),
        floor(Floor.SAME_COMMANDS_DENIED, false));
  }

  /** An algorithm as it ships. */
  static ScriptCase shipped(Algorithm algorithm, int tiers, boolean allowed) {
    LuaScript script = script(algorithm);
    return evalsha(
        Case.title(algorithm),
        ScriptCost.SHIPPED,
        script.source(),
        limit(algorithm, tiers, allowed),
        tiers,
        allowed);
  }

  static ScriptCase floor(Floor floor, boolean allowed) {
    return evalsha(
        floor.title(),
        ScriptCost.OTHER,
        floor.source(),
        Algorithm.TOKEN_BUCKET.generous(1),
        1,
        allowed);
  }

  /** A call on a key. */
  String[] command(String key) {
    List<String> command = new ArrayList<>(call);
    command.add(Integer.toString(keySuffixes.size()));
    keySuffixes.forEach(suffix -> command.add(key + suffix));
    command.addAll(arguments);
    return command.toArray(String[]::new);
  }

  /** Whether it answers the same to every call. */
  boolean isFloor() {
    return Arrays.stream(Floor.values()).anyMatch(floor -> floor.title().equals(what));
  }

  /** A name that no other case has. */
  String keyName() {
    return (what + "." + form + "." + tiers + "." + allowed)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9.-]", "");
  }

  private static ScriptCase readable(Algorithm algorithm, boolean allowed) {
    LuaScript script = script(algorithm);
    return evalsha(
        Case.title(algorithm),
        ScriptCost.READABLE,
        script.readableSource(),
        limit(algorithm, 1, allowed),
        1,
        allowed);
  }

  private static ScriptCase function(Algorithm algorithm, boolean allowed) {
    return new ScriptCase(
        Case.title(algorithm),
        ScriptCost.FUNCTION,
        1,
        allowed,
        List.of("FUNCTION", "LOAD", "REPLACE", FunctionsLibrary.SOURCE),
        List.of("FCALL", script(algorithm).functionName()),
        List.of(""),
        charge(limit(algorithm, 1, allowed)));
  }

  private static ScriptCase gateway(boolean allowed) {
    String source = GatewayScript.source();
    return new ScriptCase(
        Contender.SPRING_GATEWAY.title(),
        ScriptCost.OTHER,
        1,
        allowed,
        List.of("SCRIPT", "LOAD", source),
        List.of("EVALSHA", Floor.sha1(source)),
        List.of(".tokens", ".timestamp"),
        allowed ? GatewayScript.generous() : GatewayScript.exhausted());
  }

  private static ScriptCase evalsha(
      String what, String form, String source, Limit limit, int tiers, boolean allowed) {
    return new ScriptCase(
        what,
        form,
        tiers,
        allowed,
        List.of("SCRIPT", "LOAD", source),
        List.of("EVALSHA", Floor.sha1(source)),
        List.of(""),
        charge(limit));
  }

  private static List<String> charge(Limit limit) {
    List<String> arguments = new ArrayList<>(List.of("1"));
    arguments.addAll(limit.arguments());
    return arguments;
  }

  private static Limit limit(Algorithm algorithm, int tiers, boolean allowed) {
    return allowed ? algorithm.generous(tiers) : algorithm.exhausted(tiers);
  }

  private static LuaScript script(Algorithm algorithm) {
    return LuaScript.valueOf(algorithm.name());
  }
}
