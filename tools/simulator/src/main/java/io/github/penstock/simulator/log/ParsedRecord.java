package io.github.penstock.simulator.log;

import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of parsing a record.
 *
 * @param line its first one, from 1
 * @param request null if there is none
 * @param unreadable why it cannot be read; null if it can
 * @param counted its class for counting, in addition to a request or instead of one
 * @param before the words that stand before its address; null if there are none
 */
record ParsedRecord(
    long line,
    @Nullable TrafficRequest request,
    @Nullable String unreadable,
    Set<Kind> counted,
    @Nullable String before) {

  static ParsedRecord unreadable(long line, String reason) {
    return new ParsedRecord(line, null, reason, Set.of(), null);
  }

  static ParsedRecord without(long line, Kind kind) {
    return new ParsedRecord(line, null, null, Set.of(kind), null);
  }
}
