package io.github.penstock.compat.load;

import java.util.List;
import java.util.Map;

/**
 * Checks that each call was charged once at most, and that its failure tells the truth about it.
 */
public final class DistinctSubjects {
  private DistinctSubjects() {}

  /** Each of these calls had a separate subject. */
  public static void check(List<LoadCall> calls, Map<String, Long> charges) {
    checkAtMost(calls, charges);
    CallLoad.expectNone(
        "were decided and not charged",
        calls,
        call -> call.admitted() && charged(call, charges) == 0);
    CallLoad.expectNone(
        "were charged and failed without saying that this may be",
        calls,
        call -> call.failed() && charged(call, charges) > 0 && !call.mayHaveBeenCharged());
  }

  /** The variant for a server that may have lost charges. */
  public static void checkAtMost(List<LoadCall> calls, Map<String, Long> charges) {
    CallLoad.expectNone("were charged more than once", calls, call -> charged(call, charges) > 1);
  }

  /**
   * Returns the number of admitted calls whose charge is lost: as many further calls could be
   * admitted.
   */
  public static long lost(List<LoadCall> calls, Map<String, Long> charges) {
    return calls.stream().filter(call -> call.admitted() && charged(call, charges) == 0).count();
  }

  private static long charged(LoadCall call, Map<String, Long> charges) {
    Long charged = charges.get(call.subject());
    if (charged == null) {
      throw new IllegalStateException("the charges of every subject must be counted: " + call);
    }
    return charged;
  }
}
