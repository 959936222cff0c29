package io.github.penstock.spring.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.github.penstock.spring.control.PolicySwitches.SwitchPosition;
import io.github.penstock.spring.internal.control.SuspensionReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SuspensionReportTest {
  private static Map<String, SwitchPosition> positions(boolean dryRun) {
    Map<String, SwitchPosition> positions = new LinkedHashMap<>();
    positions.put("api", new SwitchPosition(true, false));
    positions.put("trial", new SwitchPosition(true, dryRun));
    return positions;
  }

  @Test
  @DisplayName("what is not enforced is said at once and again, until all is enforced")
  void repeated() {
    List<SuspendedPolicies> events = new CopyOnWriteArrayList<>();
    try (SuspensionReport report = new SuspensionReport(Duration.ofMillis(20), events::add)) {
      PolicySwitches switches = new PolicySwitches(true, positions(true), report);
      SuspendedPolicies dry = new SuspendedPolicies(true, List.of(), List.of("trial"));
      await().atMost(Duration.ofMinutes(10)).until(() -> events.size() > 3);
      assertThat(events).containsOnly(dry);
      switches.enable(false);
      SuspendedPolicies off = new SuspendedPolicies(false, List.of("api", "trial"), List.of());
      await()
          .atMost(Duration.ofMinutes(10))
          .until(() -> events.lastIndexOf(dry) + 3 < events.size());
      assertThat(events.get(events.size() - 1)).isEqualTo(off);
      switches.enable(true);
      switches.change("trial", null, false);
      assertThat(events.get(events.size() - 1).isEmpty()).isTrue();
    }
  }

  @Test
  @DisplayName("a listener that throws ends no report")
  void broken() {
    List<SuspendedPolicies> events = new CopyOnWriteArrayList<>();
    try (SuspensionReport report =
        new SuspensionReport(
            Duration.ofMillis(20),
            event -> {
              events.add(event);
              throw new IllegalStateException("broken");
            })) {
      new PolicySwitches(true, positions(true), report);
      await().atMost(Duration.ofMinutes(10)).until(() -> events.size() > 2);
    }
  }

  @Test
  @DisplayName("where all is enforced nothing is said")
  void nothing() {
    List<SuspendedPolicies> events = new CopyOnWriteArrayList<>();
    try (SuspensionReport report = new SuspensionReport(Duration.ofMinutes(1), events::add)) {
      PolicySwitches switches = new PolicySwitches(true, positions(false), report);
      switches.enable(true);
      assertThat(events).isEmpty();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> switches.change("apy", false, null))
          .withMessage("policy must be of [api, trial]: \"apy\"");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> switches.change("api", null, null))
          .withMessageStartingWith("enabled or dryRun must be given");
      assertThat(events).isEmpty();
    }
  }
}
