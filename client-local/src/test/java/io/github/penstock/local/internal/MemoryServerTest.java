package io.github.penstock.local.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryServerTest {
  private static final long START_MILLIS = 1_763_712_000_000L;
  private static final int HISTORIES = 60;
  private static final int STEPS = 30;
  private final HandClock clock = new HandClock(START_MILLIS);
  private final MemoryServer server = new MemoryServer(clock);

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  @DisplayName("P7 P11 random histories are answered as on a server")
  void equalsModel(LimitKind kind) {
    ScriptAlgorithm algorithm = ScriptAlgorithm.named(kind.script().scriptName());
    long first = Long.getLong("penstock.seed", System.nanoTime());
    for (long seed = first; seed < first + HISTORIES; seed++) {
      Random random = new Random(seed);
      Limit limit = new RandomLimits(random).limit(kind);
      ModelStore model = new ModelStore();
      long nowUs = START_MILLIS * 1_000;
      for (int i = 0; i < STEPS; i++) {
        nowUs += random.nextLong(3_000_000) - 500_000;
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(1 + random.nextLong(30) - 5));
        arguments.addAll(LimitEncoding.of(limit).arguments());
        arguments.add(Long.toString(nowUs));
        List<Long> expected = model.call(algorithm, List.of("key"), arguments).reply();
        assertThat(run(kind.script().scriptName(), List.of("key" + seed), arguments))
            .as("-Dpenstock.seed=%d, call %d: %s", seed, i, arguments)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  @DisplayName("the published vectors of reservations")
  void reservationVectors() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/reservation.json"));
    int steps = 0;
    for (var sequence : new Gson().fromJson(json, JsonObject.class).getAsJsonArray("sequences")) {
      for (var element : sequence.getAsJsonObject().getAsJsonArray("steps")) {
        JsonObject step = element.getAsJsonObject();
        if (step.has("before")) {
          break;
        }
        List<String> keys = strings(step, "keys");
        List<String> arguments = strings(step, "args");
        String script = step.get("script").getAsString();
        if (step.has("reply")) {
          List<Long> reply =
              step.getAsJsonArray("reply").asList().stream().map(n -> n.getAsLong()).toList();
          assertThat(run(script, keys, arguments)).as("%s", step).isEqualTo(reply);
        } else {
          assertThatThrownBy(() -> run(script, keys, arguments))
              .isInstanceOf(MemoryErrorException.class)
              .hasMessageContaining(step.get("error").getAsString());
        }
        steps++;
      }
    }
    assertThat(steps).isGreaterThan(100);
  }

  @Test
  @DisplayName("a key lives as long as the script says, by the server's clock")
  void expiry() {
    List<String> bucket = List.of("1", "1", "1", "1000000");
    assertThat(run("token-bucket", List.of("key"), bucket)).startsWith(1L);
    assertThat(run("token-bucket", List.of("key"), bucket)).startsWith(0L, 1L, 0L, 1_000_000L);
    clock.pass(999_999);
    assertThat(run("token-bucket", List.of("key"), bucket)).startsWith(0L, 1L, 0L, 1L);
    clock.pass(1);
    assertThat(run("token-bucket", List.of("key"), bucket)).startsWith(1L);
  }

  private List<Long> run(String script, List<String> keys, List<String> arguments) {
    return server.run(script, bytes(keys), bytes(arguments));
  }

  private static List<byte[]> bytes(List<String> texts) {
    return texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static List<String> strings(JsonObject step, String name) {
    return step.getAsJsonArray(name).asList().stream().map(text -> text.getAsString()).toList();
  }
}
