package io.github.penstock.local.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaValue;

/** Keys with their values and expiry times. Not safe for use by several threads. */
class ExpiringKeys {
  private static final long MICROS_PER_MILLI = 1_000;
  private final Map<String, StoredKey> values = new HashMap<>();
  private final MicroClock clock;

  private record StoredKey(LuaValue value, long endUs) {}

  ExpiringKeys(MicroClock clock) {
    this.clock = clock;
  }

  /** Microseconds since 1970. */
  final long nowUs() {
    return clock.micros();
  }

  /** The value of a key, or null. */
  @Nullable LuaValue get(String key) {
    StoredKey stored = values.get(key);
    if (stored != null && stored.endUs <= nowUs()) {
      values.remove(key);
      return null;
    }
    return stored == null ? null : stored.value;
  }

  /**
   * Puts a value under a key.
   *
   * @param lifeMs the time to live, -1 to keep the key's current one
   */
  void set(String key, LuaValue value, long lifeMs) {
    StoredKey before = values.get(key);
    long endUs = lifeMs < 0 && before != null ? before.endUs : end(lifeMs);
    values.put(key, new StoredKey(value, endUs));
  }

  /** Removes a key. */
  void remove(String key) {
    values.remove(key);
  }

  /** Starts a script with exactly these keys. */
  void begin(List<String> keys) {}

  /** Ends that script. */
  void end() {}

  /** The end of a time to live that starts now. */
  final long end(long lifeMs) {
    return nowUs() + lifeMs * MICROS_PER_MILLI;
  }
}
