package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Holds what the HTTP fields promise against what the exact model then has. */
class HttpFieldsPropertyTest {
  private static final long START_US = 1_700_000_000_000_000L;
  private static final Pattern NOW = Pattern.compile("\"api\";r=(\\d+)(?:;t=(\\d+))?");

  private record Call(long pauseUs, long cost) {}

  @Property
  @Label("after t seconds there is more than r, not much sooner, and never after Retry-After")
  void moreIsThereInTime(
      @ForAll("algorithms") String algorithm,
      @ForAll @LongRange(min = 1, max = 30) long units,
      @ForAll @LongRange(min = 1, max = 90_000) long periodMs,
      @ForAll @LongRange(min = 1, max = 30) long burst,
      @ForAll("calls") @Size(min = 1, max = 20) List<Call> calls) {
    String tier = units + "/" + periodMs + "ms";
    boolean window = algorithm.endsWith("-window");
    Limit limit = Limits.parse(algorithm + ":" + tier + (window ? "" : ",burst=" + burst));
    RateLimitHeaders headers = RateLimitHeaders.of("api", limit);
    ModelStore model = new ModelStore();
    long nowUs = START_US;
    for (Call call : calls) {
      nowUs += call.pauseUs;
      Decision decision = call(model, limit, call.cost, nowUs);
      Map<String, String> fields = headers.fields(decision);
      Matcher now = NOW.matcher(fields.get("RateLimit"));
      assertThat(now.matches()).isTrue();
      long remaining = Long.parseLong(now.group(1));
      assertThat(remaining).isEqualTo(decision.remaining());
      if (now.group(2) == null) {
        assertThat(remaining).isEqualTo(decision.limit());
        continue;
      }
      long seconds = Long.parseLong(now.group(2));
      assertThat(remaining(model, limit, nowUs + seconds * 1_000_000)).isGreaterThan(remaining);
      if (!algorithm.equals("sliding-window")) {
        assertThat(remaining(model, limit, nowUs + (seconds - 1) * 1_000_000 - 1))
            .isLessThanOrEqualTo(remaining);
      }
      if (fields.containsKey("Retry-After")) {
        assertThat(Long.parseLong(fields.get("Retry-After"))).isGreaterThanOrEqualTo(seconds);
      }
    }
  }

  @Provide
  static Arbitrary<String> algorithms() {
    return Arbitraries.of(LuaScript.values()).map(LuaScript::scriptName);
  }

  @Provide
  static Arbitrary<List<Call>> calls() {
    Arbitrary<Long> pauses =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 1_000_000),
            Arbitraries.longs().between(0, 60_000_000),
            Arbitraries.just(0L));
    return Combinators.combine(pauses, Arbitraries.longs().between(1, 12)).as(Call::new).list();
  }

  private static long remaining(ModelStore model, Limit limit, long nowUs) {
    return call(model, limit, 0, Math.max(START_US, nowUs)).remaining();
  }

  private static Decision call(ModelStore model, Limit limit, long cost, long nowUs) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(cost)));
    arguments.addAll(LimitEncoding.of(limit).arguments());
    arguments.add(Long.toString(nowUs));
    ScriptAlgorithm script = ScriptAlgorithm.named(limit.algorithm());
    List<Long> six = model.call(script, List.of("k"), arguments).reply();
    return new Decision(
        six.get(0) > 0,
        six.get(1),
        six.get(2),
        six.get(3),
        six.get(4),
        six.get(5).intValue(),
        DecisionSource.SERVER);
  }
}
