package io.github.penstock.simulator.log;

import io.github.penstock.simulator.traffic.TrafficRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a record was found to be; without a request and a reason, it names no subject.
 *
 * @param line its first one, from 1
 * @param request null if there is none
 * @param unreadable why it cannot be read; null if it can
 * @param withoutZone whether its time names no zone
 * @param twice whether its time was there twice, as clocks were set back
 * @param withoutCost whether the field for its cost is empty
 * @param fromZero whether its time counts from the beginning of a trace
 * @param leftOut whether a filter leaves it out
 * @param denied whether its status says that a limit denied it
 * @param before the words that stand before its address; null if there are none
 */
record ParsedRecord(
    long line,
    @Nullable TrafficRequest request,
    @Nullable String unreadable,
    boolean withoutZone,
    boolean twice,
    boolean withoutCost,
    boolean fromZero,
    boolean leftOut,
    boolean denied,
    @Nullable String before) {

  static ParsedRecord unreadable(long line, String reason) {
    return new ParsedRecord(line, null, reason, false, false, false, false, false, false, null);
  }

  static ParsedRecord withoutSubject(long line) {
    return new ParsedRecord(line, null, null, false, false, false, false, false, false, null);
  }

  static ParsedRecord leftOut(long line) {
    return new ParsedRecord(line, null, null, false, false, false, false, true, false, null);
  }
}
