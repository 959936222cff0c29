package io.github.penstock.local;

import io.github.penstock.local.ScriptMachine.KeyStore;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaValue;

/** Keys and their ends. Not safe for use by several threads. */
class ExpiringKeys implements KeyStore {
  private static final long MICROS_PER_MILLI = 1_000;
  private final Map<String, StoredKey> values = new HashMap<>();
  private final MicroClock clock;

  private record StoredKey(LuaValue value, long endUs) {}

  ExpiringKeys(MicroClock clock) {
    this.clock = clock;
  }

  @Override
  public final long nowUs() {
    return clock.micros();
  }

  @Override
  public @Nullable LuaValue get(String key) {
    StoredKey stored = values.get(key);
    if (stored != null && stored.endUs <= nowUs()) {
      values.remove(key);
      return null;
    }
    return stored == null ? null : stored.value;
  }

  @Override
  public void set(String key, LuaValue value, long lifeMs) {
    StoredKey before = values.get(key);
    long endUs = lifeMs < 0 && before != null ? before.endUs : end(lifeMs);
    values.put(key, new StoredKey(value, endUs));
  }

  @Override
  public void remove(String key) {
    values.remove(key);
  }

  /** When something ends that lives so long from now on. */
  final long end(long lifeMs) {
    return nowUs() + lifeMs * MICROS_PER_MILLI;
  }
}
