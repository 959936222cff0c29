package io.github.penstock.compat.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server of the model: keys, what is under them, and calls that change that. Not safe for use by
 * several threads.
 */
public final class ModelStore {
  private final Map<String, Stored> values = new HashMap<>();

  /** What is under a key. */
  public Stored get(String key) {
    return values.getOrDefault(key, Stored.NOTHING);
  }

  /** Puts a value under a key, or removes it. */
  public void put(String key, Stored value) {
    values.put(key, value);
  }

  /**
   * Calls a script at the time that its arguments hold; see {@link #call(Algorithm, List, List,
   * long)}.
   */
  public Outcome call(Algorithm algorithm, List<String> keys, List<String> arguments) {
    return call(algorithm, keys, arguments, Bounds.FIRST_US);
  }

  /** Calls a script; a call without exactly one key is answered with an error. */
  public Outcome call(
      Algorithm algorithm, List<String> keys, List<String> arguments, long serverTimeUs) {
    Stored before = keys.size() == 1 ? get(keys.get(0)) : Stored.NOTHING;
    Outcome outcome = Model.of(algorithm).call(keys, arguments, before, serverTimeUs);
    if (outcome.written()) {
      put(keys.get(0), outcome.stored());
    }
    return outcome;
  }
}
