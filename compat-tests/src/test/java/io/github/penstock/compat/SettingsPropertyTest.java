package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.vectors.KeyNames;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class SettingsPropertyTest {
  private static final long START_US = 1_700_000_000_000_000L;
  private static final long SECOND_US = 1_000_000;

  @Property(tries = 300)
  @Label("P13 two settings in use at once admit at most the sum of both")
  void sumOfBoth(
      @ForAll @LongRange(min = 1, max = 20) long first,
      @ForAll @LongRange(min = 1, max = 20) long second,
      @ForAll("buckets") ScriptAlgorithm algorithm,
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 300_000) Integer> pauses) {
    byte[] subject = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    for (ScriptRoute route : ScriptRoute.minified()) {
      long admitted = 0;
      long nowUs = START_US;
      for (int i = 0; i < pauses.size(); i++) {
        nowUs += pauses.get(i);
        long capacity = pauses.get(i) % 2 == 0 ? first : second;
        admitted += call(route, algorithm, subject, capacity, nowUs);
      }
      long whileRunning = (first + second) * (nowUs - START_US) / SECOND_US;
      assertThat(admitted).as(route.toString()).isLessThanOrEqualTo(first + second + whileRunning);
      for (long capacity : List.of(first, second)) {
        String key = key(algorithm, subject, capacity);
        route.connection().call("DEL", key);
      }
    }
  }

  @Property(tries = 300)
  @Label("P13 a changed limit of a window keeps its count")
  void changedWindowLimit(
      @ForAll("windows") ScriptAlgorithm algorithm,
      @ForAll @LongRange(min = 1, max = 50) long first,
      @ForAll @LongRange(min = 1, max = 50) long second,
      @ForAll @Size(min = 1, max = 80) List<Boolean> which) {
    byte[] subject = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    for (ScriptRoute route : ScriptRoute.minified()) {
      long admitted = 0;
      for (boolean useFirst : which) {
        admitted += call(route, algorithm, subject, useFirst ? first : second, START_US);
      }
      assertThat(admitted).as(route.toString()).isLessThanOrEqualTo(Math.max(first, second));
      route.connection().call("DEL", key(algorithm, subject, first));
    }
  }

  private static long call(
      ScriptRoute route, ScriptAlgorithm algorithm, byte[] subject, long limit, long nowUs) {
    List<String> arguments = new ArrayList<>(List.of("1"));
    tier(algorithm, limit).forEach(number -> arguments.add(Long.toString(number)));
    arguments.add(Long.toString(nowUs));
    String key = key(algorithm, subject, limit);
    ScriptAnswer answer = route.port().call(algorithm.scriptName(), List.of(key), arguments);
    assertThat(answer.error()).isNull();
    return answer.reply().get(0);
  }

  private static String key(ScriptAlgorithm algorithm, byte[] subject, long limit) {
    return KeyNames.key(
        "penstock-tests", "p13", subject, algorithm, List.of(tier(algorithm, limit)));
  }

  private static List<Long> tier(ScriptAlgorithm algorithm, long limit) {
    return algorithm.tier(limit, SECOND_US);
  }

  @Provide
  Arbitrary<ScriptAlgorithm> buckets() {
    return Arbitraries.of(ScriptAlgorithm.class)
        .filter(algorithm -> LimitSetting.kind(algorithm).holdsBurst());
  }

  @Provide
  Arbitrary<ScriptAlgorithm> windows() {
    return Arbitraries.of(ScriptAlgorithm.class)
        .filter(algorithm -> !LimitSetting.kind(algorithm).holdsBurst());
  }
}
