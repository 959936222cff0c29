package io.github.penstock.local;

import io.github.penstock.core.near.TimeSource;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaValue;

/**
 * What a server does with the shipped scripts, in this process: it runs them themselves, with LuaJ,
 * which must be on the class path ({@code org.luaj:luaj-jse}). For tests: a call takes some 50
 * microseconds, and a key is removed when it is next asked for after its end. Safe for use by
 * several threads, one call at a time.
 */
public final class MemoryServer {
  private static final Map<String, String> SOURCES = sources();
  private final ScriptMachine machine;

  /** A server without keys. */
  public MemoryServer(TimeSource time) {
    machine = new ScriptMachine(new ExpiringKeys(new MicroClock(time::nanos, time.wallMillis())));
  }

  /**
   * Runs a call.
   *
   * @return the integers of the reply
   * @throws MemoryErrorException if the script answers an error
   */
  public synchronized List<Long> answer(ScriptCall call) {
    List<byte[]> keys = IntStream.range(0, call.keyCount()).mapToObj(call::key).toList();
    List<byte[]> arguments =
        IntStream.range(0, call.argumentCount()).mapToObj(call::argument).toList();
    return run(call.scriptName(), keys, arguments);
  }

  /** The same of a script by its name. */
  synchronized List<Long> run(String scriptName, List<byte[]> keys, List<byte[]> arguments) {
    return machine.run(
        Objects.requireNonNull(SOURCES.get(scriptName), scriptName), keys, arguments);
  }

  private static Map<String, String> sources() {
    return Stream.concat(
            Stream.of(LuaScript.values()).map(s -> Map.entry(s.scriptName(), s.source())),
            Stream.of(ReservationScript.values()).map(s -> Map.entry(s.scriptName(), s.source())))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Keys and their ends. */
  private static final class ExpiringKeys implements ScriptMachine.KeyStore {
    private static final long MICROS_PER_MILLI = 1_000;
    private final Map<String, StoredKey> values = new HashMap<>();
    private final MicroClock clock;

    private record StoredKey(LuaValue value, long endUs) {}

    ExpiringKeys(MicroClock clock) {
      this.clock = clock;
    }

    @Override
    public long nowUs() {
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
      long endUs =
          lifeMs < 0 && before != null ? before.endUs : nowUs() + lifeMs * MICROS_PER_MILLI;
      values.put(key, new StoredKey(value, endUs));
    }

    @Override
    public void remove(String key) {
      values.remove(key);
    }
  }
}
