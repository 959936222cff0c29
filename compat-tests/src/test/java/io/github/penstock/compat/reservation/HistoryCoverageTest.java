package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.reservation.ReservationModel;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What random histories consist of: each outcome that a rule is about comes often. */
class HistoryCoverageTest {
  private static final int HISTORIES = 200;
  private static final int OFTEN = 20;

  @Test
  @DisplayName("every outcome comes often")
  void everyOutcome() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int seed = 1; seed <= HISTORIES; seed++) {
      RandomHistory.of(seed, "penstock:{coverage}")
          .forEach(step -> counts.merge(outcome(step), 1, Integer::sum));
    }
    assertThat(counts.keySet())
        .contains(
            "reserve, allowed",
            "reserve, allowed, repeat",
            "reserve, denied",
            "reserve, denied, written",
            "reserve, never",
            "reserve, id",
            "settle, settled, written",
            "settle, settled",
            "settle, unknown",
            "settle, key",
            "settle, total");
    assertThat(counts)
        .allSatisfy((outcome, count) -> assertThat(count).as(outcome).isGreaterThan(OFTEN));
  }

  private static String outcome(ReservationStep step) {
    boolean reserve = step.script().equals(ReservationModel.RESERVE);
    boolean settle = step.script().equals(ReservationModel.SETTLE);
    if (!reserve && !settle) {
      return "native";
    }
    if (step.error() != null) {
      return step.script() + ", " + step.error();
    }
    String written = step.written().isEmpty() ? "" : ", written";
    boolean done = step.reply().get(0) == 1;
    if (settle) {
      return "settle, " + (done ? "settled" : "unknown") + written;
    }
    if (done) {
      return "reserve, allowed" + (step.reply().get(3) == 1 ? ", repeat" : "");
    }
    return "reserve, " + (step.reply().get(1) == -1 ? "never" : "denied") + written;
  }
}
