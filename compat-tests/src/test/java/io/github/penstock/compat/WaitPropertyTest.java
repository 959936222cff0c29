package io.github.penstock.compat;

import static io.github.penstock.testkit.model.ProtocolBounds.FIRST_US;
import static io.github.penstock.testkit.model.ProtocolBounds.NOW_END;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.CallPlan.Expectation;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Rules about time that the scripts must keep whatever the model says; so only the scripts are
 * asked.
 */
class WaitPropertyTest {
  @Provide
  Arbitrary<CallPlan> plans() {
    return CallPlans.plans();
  }

  @Property
  @Label("P3 a denied call is allowed after exactly its wait, and not 1 us sooner")
  void waitIsExact(@ForAll("plans") CallPlan plan) {
    for (ScriptRoute route : ScriptRoute.minified()) {
      Caller caller = new Caller(route, plan.algorithm());
      for (Expectation planned : plan.expectations(caller.key)) {
        List<String> call = planned.arguments();
        ScriptAnswer denied = caller.call(call);
        long waitUs =
            denied.error() == null && denied.reply().get(0) == 0 ? denied.reply().get(3) : 0;
        if (waitUs > 0 && now(call) + waitUs < NOW_END) {
          assertThat(caller.call(at(call, now(call) + waitUs - 1)).reply())
              .as("%s, 1 us before %d: %s", route, waitUs, call)
              .startsWith(0L);
          assertThat(caller.call(at(call, now(call) + waitUs)).reply().get(0))
              .as("%s, after %d: %s", route, waitUs, call)
              .isPositive();
        }
      }
      caller.removeKey();
    }
  }

  @Property
  @Label(
      "P9 a clock that steps back admits nothing more and locks for no longer than a full bucket or window")
  void stepBack(@ForAll("plans") CallPlan plan, @ForAll long back) {
    for (ScriptRoute route : ScriptRoute.minified()) {
      Caller caller = new Caller(route, plan.algorithm());
      List<Expectation> calls = plan.expectations(caller.key);
      calls.forEach(planned -> caller.call(planned.arguments()));
      List<String> call = costing(1, calls.get(calls.size() - 1).arguments());
      long nowUs = now(call);
      Object state = route.connection().call("GET", caller.key);
      Assume.that(state != null);
      ScriptAnswer now = caller.call(call);
      caller.put(String.valueOf(state));
      long earlierUs = Math.max(FIRST_US, nowUs - Math.floorMod(back, 100_000_000_000L));
      ScriptAnswer earlier = caller.call(at(call, earlierUs));
      if (earlier.error() == null && earlier.reply().get(0) == 1) {
        assertThat(now.reply()).as("%s: %s at %s", route, call, earlierUs).startsWith(1L);
      }
      if (earlier.error() == null) {
        assertThat(earlier.reply().get(4)).isLessThanOrEqualTo(longestFullUs(plan));
        assertThat(earlier.reply().get(3)).isLessThanOrEqualTo(longestFullUs(plan));
      }
      caller.removeKey();
    }
  }

  private static long longestFullUs(CallPlan plan) {
    return plan.tiers().stream().mapToLong(plan.algorithm()::fullUs).max().orElseThrow();
  }

  private static long now(List<String> call) {
    return Long.parseLong(call.get(call.size() - 1));
  }

  private static List<String> at(List<String> call, long nowUs) {
    List<String> changed = new ArrayList<>(call);
    changed.set(changed.size() - 1, Long.toString(nowUs));
    return changed;
  }

  private static List<String> costing(long cost, List<String> call) {
    List<String> changed = new ArrayList<>(call);
    changed.set(0, Long.toString(cost));
    return changed;
  }

  private static final class Caller {
    private final ScriptRoute route;
    private final ScriptAlgorithm algorithm;
    private final String key = "penstock-waits:{" + UUID.randomUUID() + "}";

    Caller(ScriptRoute route, ScriptAlgorithm algorithm) {
      this.route = route;
      this.algorithm = algorithm;
    }

    ScriptAnswer call(List<String> arguments) {
      return route.port().call(algorithm.scriptName(), List.of(key), arguments);
    }

    void put(String state) {
      route.connection().call("SET", key, state, "PX", "60000");
    }

    void removeKey() {
      route.connection().call("DEL", key);
    }
  }
}
