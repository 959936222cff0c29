package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.CallPlan.Expectation;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Several calls at once beside that many calls one after another; only the scripts are asked. */
class SeveralCallsTest {
  @Provide
  Arbitrary<CallPlan> plans() {
    return CallPlans.plans();
  }

  @Property
  @Label("P7 several calls at once are that many calls one after another at one microsecond")
  void oneAfterAnother(@ForAll("plans") CallPlan plan) {
    for (ScriptRoute route : ScriptRoute.minified()) {
      String key = "penstock-several:{" + UUID.randomUUID() + "}";
      String single = key + "-single";
      for (Expectation planned : plan.expectations(key)) {
        List<String> call = planned.arguments();
        if (planned.put()) {
          route.connection().call("SET", key, String.valueOf(planned.before().text()));
        }
        copy(route, key, single);
        ScriptAnswer together = answer(route, plan, key, call);
        if (call.get(0).contains("*") && together.error() == null) {
          assertThat(together.reply())
              .as("%s: %s", route, call)
              .isEqualTo(oneByOne(route, plan, single, call));
          assertThat(route.connection().call("GET", key))
              .as("%s: stored by %s", route, call)
              .isEqualTo(route.connection().call("GET", single));
        }
      }
      route.connection().call("DEL", key, single);
    }
  }

  /** The admitted calls in the shape of one reply: see the protocol. */
  private static List<Long> oneByOne(
      ScriptRoute route, CallPlan plan, String key, List<String> call) {
    String[] costAndCalls = call.get(0).split("\\*");
    List<String> one = new ArrayList<>(call);
    one.set(0, costAndCalls[0]);
    long admitted = 0;
    List<Long> reply = answer(route, plan, key, one).reply();
    long waitUs = reply.get(3);
    List<Long> last = reply;
    while (reply.get(0) == 1) {
      last = reply;
      admitted++;
      if (admitted == Long.parseLong(costAndCalls[1])) {
        break;
      }
      reply = answer(route, plan, key, one).reply();
    }
    List<Long> all = new ArrayList<>(last);
    all.set(0, admitted);
    all.set(3, waitUs);
    return all;
  }

  private static ScriptAnswer answer(
      ScriptRoute route, CallPlan plan, String key, List<String> call) {
    return route.port().call(plan.algorithm().scriptName(), List.of(key), call);
  }

  private static void copy(ScriptRoute route, String from, String to) {
    Object state = route.connection().call("GET", from);
    route.connection().call("DEL", to);
    if (state != null) {
      route.connection().call("SET", to, state.toString());
    }
  }
}
