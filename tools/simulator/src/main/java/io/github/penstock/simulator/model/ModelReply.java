package io.github.penstock.simulator.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The six integers that a script answers; see docs/protocol.md.
 *
 * @param granted how many calls; 0 if denied
 * @param limit units, of the deciding tier
 * @param remaining units
 * @param waitUs -1 for ever
 * @param resetUs µs
 * @param tier from 1
 */
public record ModelReply(
    long granted, long limit, long remaining, long waitUs, long resetUs, long tier) {
  /** A reply of these six. */
  public static ModelReply of(long[] six) {
    return new ModelReply(six[0], six[1], six[2], six[3], six[4], six[5]);
  }

  public boolean allowed() {
    return granted > 0;
  }

  /** The six integers in the script's order. */
  public List<Long> integers() {
    return List.of(granted, limit, remaining, waitUs, resetUs, tier);
  }

  public boolean is(@Nullable Object answer) {
    return answer instanceof List<?> list && list.equals(integers());
  }
}
