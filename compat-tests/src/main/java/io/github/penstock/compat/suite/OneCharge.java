package io.github.penstock.compat.suite;

import java.util.List;
import java.util.Map;

/** One charge per call, and the truth about it. */
final class OneCharge {
  private OneCharge() {}

  /** Each call of these had a subject of its own. */
  static void check(List<Load.Call> calls, Map<String, Long> charges) {
    Load.expectNone("were charged more than once", calls, call -> charges.get(call.subject()) > 1);
    Load.expectNone(
        "were decided and not charged",
        calls,
        call -> call.admitted() && charges.get(call.subject()) == 0);
    Load.expectNone(
        "were charged and failed without saying that this may be",
        calls,
        call ->
            call.failed()
                && charges.get(call.subject()) > 0
                && !CaseResult.isUnknown(call.failure()));
  }
}
