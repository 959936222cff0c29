package io.github.penstock.local.internal;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The server's part of the shipped scripts, in this process: it runs the scripts themselves with
 * LuaJ, which must be on the class path ({@code org.luaj:luaj-jse}). It is meant for tests: a call
 * takes some 50 microseconds, and an expired key is removed on its next access. Safe for use by
 * several threads, one call at a time.
 */
public final class MemoryServer {
  private static final Map<String, String> SOURCES = sources();
  private final ExpiringKeys store;
  private final ScriptMachine machine;

  /** A server without keys. */
  public MemoryServer(TimeSource time) {
    this(new ExpiringKeys(new MicroClock(time::nanos, time.wallMillis())));
  }

  /** A server with these keys. */
  public MemoryServer(ExpiringKeys store) {
    this.store = store;
    machine = new ScriptMachine(store);
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

  /** Runs a script by its name. */
  synchronized List<Long> run(String scriptName, List<byte[]> keys, List<byte[]> arguments) {
    String source = Objects.requireNonNull(SOURCES.get(scriptName), scriptName);
    try {
      store.begin(keys.stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList());
      return machine.run(source, keys, arguments);
    } finally {
      store.end();
    }
  }

  private static Map<String, String> sources() {
    return Stream.concat(
            Stream.of(LuaScript.values()).map(s -> Map.entry(s.scriptName(), s.source())),
            Stream.of(ReservationScript.values()).map(s -> Map.entry(s.scriptName(), s.source())))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
