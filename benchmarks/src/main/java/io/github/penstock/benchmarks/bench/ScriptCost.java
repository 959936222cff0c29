package io.github.penstock.benchmarks.bench;

/**
 * What one call of a script costs the server.
 *
 * @param what the script's, floor's or peer's name for people
 * @param form shipped, readable or function; empty for what is not Penstock's
 * @param tiers how many tiers the limit has
 * @param allowed whether the call is allowed
 * @param micros microseconds that the server itself counts for the call, best of several rounds
 */
record ScriptCost(String what, String form, int tiers, boolean allowed, double micros) {
  /** As Penstock ships it, by EVALSHA. */
  static final String SHIPPED = "shipped";

  /** As it is read, by EVALSHA. */
  static final String READABLE = "readable";

  /** The function in the library, by FCALL. */
  static final String FUNCTION = "function";

  /** Somebody else's. */
  static final String OTHER = "";
}
