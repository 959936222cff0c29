package io.github.penstock.testkit.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server of the model: keys, their values, and calls that change them. Not safe for use by
 * several threads.
 */
public final class ModelStore {
  private final Map<String, StoredValue> values = new HashMap<>();

  /** The value under a key. */
  public StoredValue get(String key) {
    return values.getOrDefault(key, StoredValue.NOTHING);
  }

  /** Puts a value under a key, or removes it. */
  public void put(String key, StoredValue value) {
    values.put(key, value);
  }

  /**
   * Calls a script at the time that its arguments hold; see {@link #call(ScriptAlgorithm, List,
   * List, long)}.
   */
  public ExpectedOutcome call(
      ScriptAlgorithm algorithm, List<String> keys, List<String> arguments) {
    return call(algorithm, keys, arguments, ProtocolBounds.FIRST_US);
  }

  /** Calls a script; a call without exactly one key is answered with an error. */
  public ExpectedOutcome call(
      ScriptAlgorithm algorithm, List<String> keys, List<String> arguments, long serverTimeUs) {
    StoredValue before = keys.size() == 1 ? get(keys.get(0)) : StoredValue.NOTHING;
    ExpectedOutcome outcome = ExactModel.of(algorithm).call(keys, arguments, before, serverTimeUs);
    if (outcome.written()) {
      put(keys.get(0), outcome.stored());
    }
    return outcome;
  }
}
