package io.github.penstock.benchmarks;

import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing to measure: a script, the arguments of every call, and what a key needs before.
 *
 * @param name the script's, or the floor's
 * @param what how the call goes
 * @param source the script's text
 * @param arguments what follows the key
 * @param allowed the first integer of every reply
 * @param before run once on each key before it is measured, if anything
 */
public record CostCase(
    String name,
    String what,
    String source,
    List<String> arguments,
    boolean allowed,
    @Nullable CostCase before) {

  static final String FLOOR = "floor";
  private static final String SET_STATE =
      "redis.call(\"SET\",KEYS[1],\"1763712000000000\",\"PX\",\"10000\") ";
  private static final String ASK_TIME_AND_STATE =
      "redis.call(\"TIME\") redis.call(\"GET\",KEYS[1]) ";
  private static final List<String> ANY = List.of("1", "1000000", "1", "1000000");
  private static final List<String> BUCKET = List.of("1000000", "1", "1000000");
  private static final List<String> BUCKET_WITH_REMAINDER = List.of("1000000", "7", "3000000");
  private static final List<String> FULL_BUCKET = List.of("1", "1", "100000000000");
  private static final List<String> WINDOW = List.of("1000000", "60000000");
  private static final List<String> FULL_WINDOW = List.of("1", "60000000");

  public CostCase {
    arguments = List.copyOf(arguments);
  }

  /**
   * The same server commands as an allowed call, with constant arguments: TIME, GET, SET..PX, six
   * integers.
   */
  static CostCase floorAllowed() {
    String source = ASK_TIME_AND_STATE + SET_STATE + "return {1,100,99,0,100000,1}";
    return new CostCase(FLOOR, "TIME, GET, SET", source, ANY, true, null);
  }

  /**
   * The same server commands as a denied call, with constant arguments: TIME, GET, six integers.
   */
  static CostCase floorDenied() {
    String source = ASK_TIME_AND_STATE + "return {0,100,0,100000,100000,1}";
    return new CostCase(FLOOR, "TIME, GET", source, ANY, false, floorAllowed());
  }

  /** An allowed call of one tier. */
  public static CostCase allowed(LuaScript script, String source) {
    return allowed(script.scriptName(), "allowed", source, tier(script));
  }

  /** A denied call of one tier. */
  public static CostCase denied(LuaScript script, String source) {
    return denied(script.scriptName(), "denied", source, full(script));
  }

  /** The cases of one script in the form given. */
  static List<CostCase> of(LuaScript script, String source) {
    List<String> tier = tier(script);
    List<String> full = full(script);
    String name = script.scriptName();
    List<CostCase> cases = new ArrayList<>();
    cases.add(allowed(script, source));
    if (script != LuaScript.FIXED_WINDOW) {
      cases.add(allowed(name, "allowed, with remainder", source, BUCKET_WITH_REMAINDER));
    }
    cases.add(denied(script, source));
    cases.add(allowed(name, "three tiers, allowed", source, concat(tier, tier, tier)));
    cases.add(denied(name, "three tiers, denied", source, concat(tier, tier, full)));
    return cases;
  }

  private static List<String> tier(LuaScript script) {
    return script == LuaScript.FIXED_WINDOW ? WINDOW : BUCKET;
  }

  private static List<String> full(LuaScript script) {
    return script == LuaScript.FIXED_WINDOW ? FULL_WINDOW : FULL_BUCKET;
  }

  private static CostCase allowed(String name, String what, String source, List<String> tiers) {
    return new CostCase(name, what, source, charge(tiers), true, null);
  }

  private static CostCase denied(String name, String what, String source, List<String> tiers) {
    CostCase first = allowed(name, what, source, tiers);
    return new CostCase(name, what, source, charge(tiers), false, first);
  }

  private static List<String> charge(List<String> tiers) {
    return concat(List.of("1"), tiers);
  }

  @SafeVarargs
  private static List<String> concat(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      all.addAll(part);
    }
    return Collections.unmodifiableList(all);
  }
}
