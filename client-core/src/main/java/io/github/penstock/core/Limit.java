package io.github.penstock.core;

import io.github.penstock.scripts.LuaScript;
import java.util.List;

/**
 * What may pass: an algorithm and the numbers of its 1 to 16 tiers. A call is charged on all tiers
 * or on none.
 *
 * <p>Immutable, equal by value, and checked when it is made: a limit that exists is one that its
 * script accepts.
 */
public sealed interface Limit permits FixedWindow, TokenBucket, LeakyBucket {
  /** The most tiers that a limit can have. */
  int MAX_TIERS = 16;

  /** The script that decides about this limit. */
  LuaScript script();

  /**
   * What ends the key: the state's family and the numbers that give the state its meaning, such as
   * {@code b100.10.1000000}. Limits with the same marker share their state.
   */
  String marker();

  /** The script's arguments for all tiers, in order, times in microseconds. */
  List<String> arguments();
}
