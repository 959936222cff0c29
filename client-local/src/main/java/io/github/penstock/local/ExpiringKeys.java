package io.github.penstock.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaValue;

/** Keys, what is stored under them and their ends. Not safe for use by several threads. */
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
   * @param lifeMs how long it lives, -1 to keep the time to live that the key has
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

  /** A script begins that has these keys and no others. */
  void begin(List<String> keys) {}

  /** That script has ended. */
  void end() {}

  /** When something ends that lives so long from now on. */
  final long end(long lifeMs) {
    return nowUs() + lifeMs * MICROS_PER_MILLI;
  }
}
