package io.github.penstock.core.internal.hold;

import io.github.penstock.core.reserve.ReservationEvent.Kind;
import java.util.List;

/**
 * What a settlement says. Immutable.
 *
 * @param kind the event if it succeeds
 * @param totals the total use of each entry that reserves
 */
record SettleRequest(Kind kind, List<Long> totals) {
  boolean ends() {
    return kind != Kind.RENEWED;
  }
}
