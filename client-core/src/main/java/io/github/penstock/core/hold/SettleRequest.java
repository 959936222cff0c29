package io.github.penstock.core.hold;

import io.github.penstock.core.reserve.ReservationEvent.Kind;
import java.util.List;

/**
 * What a settlement says. Immutable.
 *
 * @param kind what it is if it is done
 * @param totals what each entry that reserves has used
 */
record SettleRequest(Kind kind, List<Long> totals) {
  boolean ends() {
    return kind != Kind.RENEWED;
  }
}
