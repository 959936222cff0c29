package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

/** One charge per call, and the truth about it. */
final class OneCharge {
  private OneCharge() {}

  /** Each call of these had a subject of its own. */
  static void check(List<Load.Call> calls, Map<String, Long> charges) {
    assertThat(calls)
        .as("calls that were charged more than once")
        .filteredOn(call -> charges.get(call.subject()) > 1)
        .isEmpty();
    assertThat(calls)
        .as("calls that were decided and not charged")
        .filteredOn(call -> call.admitted() && charges.get(call.subject()) == 0)
        .isEmpty();
    assertThat(calls)
        .as("calls that were charged and failed without saying that this may be")
        .filteredOn(
            call ->
                call.failed()
                    && charges.get(call.subject()) > 0
                    && !CaseResult.isUnknown(call.failure()))
        .isEmpty();
  }
}
