package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.compat.resp.RespConnection;
import java.util.List;

/** What keys take of a server's memory (MEMORY USAGE). */
final class MemoryUse {
  private MemoryUse() {}

  /** The bytes of all keys under a target's prefix. */
  static long under(Target target, RespConnection connection) {
    long bytes = 0;
    String cursor = "0";
    do {
      Object page =
          connection.call("SCAN", cursor, "MATCH", target.prefix() + ":*", "COUNT", "1000");
      if (!(page instanceof List<?> parts) || !(parts.get(1) instanceof List<?> keys)) {
        throw new IllegalStateException("SCAN answered " + page);
      }
      for (Object key : keys) {
        Object usage = connection.call("MEMORY", "USAGE", String.valueOf(key), "SAMPLES", "0");
        bytes += usage instanceof Long number ? number : 0;
      }
      cursor = String.valueOf(parts.get(0));
    } while (!cursor.equals("0"));
    return bytes;
  }
}
