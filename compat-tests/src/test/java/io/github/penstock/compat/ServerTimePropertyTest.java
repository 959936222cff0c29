package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.resp.RespConnection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * Random calls without the caller's time, as production makes them: the server's clock runs along.
 */
class ServerTimePropertyTest {

  @Property(tries = 60)
  @Label("P5 at the server's time a key lives exactly as long as its state matters")
  void timeToLive(
      @ForAll Algorithm algorithm,
      @ForAll @IntRange(min = 1_000, max = 20_000) int shortUs,
      @ForAll @IntRange(min = 1, max = 5) int limit,
      @ForAll @Size(min = 2, max = 20) List<@IntRange(min = -3, max = 4) Integer> costs) {
    String key = "penstock-ttl:{" + UUID.randomUUID() + "}";
    for (Lane lane : Lane.minified()) {
      for (int cost : costs) {
        call(lane, algorithm, key, cost, limit, shortUs);
        livesAsLongAsItsState(lane.connection(), key);
        pauseMs(Math.floorMod(cost * 7L + shortUs, 4));
      }
      lane.connection().call("DEL", key);
    }
  }

  @Property(tries = 20)
  @Label(
      "P5 a key whose time to live somebody removed heals with a write of a bucket, or the next window")
  void heals(
      @ForAll Algorithm algorithm, @ForAll @IntRange(min = 5_000, max = 20_000) int shortUs) {
    String key = "penstock-heals:{" + UUID.randomUUID() + "}";
    for (Lane lane : Lane.minified()) {
      call(lane, algorithm, key, 1, 3, shortUs);
      lane.connection().call("PERSIST", key);
      pauseMs(shortUs / 1000 + 1);
      assertThat(call(lane, algorithm, key, 1, 3, shortUs).reply()).startsWith(1L);
      assertThat((Long) lane.connection().call("PTTL", key)).isPositive();
      lane.connection().call("DEL", key);
    }
  }

  /** Two tiers of the same limit: one over {@code shortUs}, one over 100 times that. */
  private static ScriptAnswer call(
      Lane lane, Algorithm algorithm, String key, long cost, long limit, long shortUs) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(cost)));
    for (long lengthUs : List.of(shortUs, 100 * shortUs)) {
      arguments.add(Long.toString(limit));
      if (algorithm != Algorithm.FIXED_WINDOW) {
        arguments.add(Long.toString(limit));
      }
      arguments.add(Long.toString(lengthUs));
    }
    ScriptAnswer answer = lane.port().call(algorithm.scriptName(), List.of(key), arguments);
    assertThat(answer.error()).isNull();
    return answer;
  }

  private static void livesAsLongAsItsState(RespConnection connection, String key) {
    connection.send("TIME");
    connection.send("GET", key);
    connection.send("PTTL", key);
    connection.send("TIME");
    long beforeUs = micros(connection.receive());
    Object state = connection.receive();
    Long ttlMs = (Long) connection.receive();
    long afterUs = micros(connection.receive());
    if (state == null) {
      return;
    }
    long endUs =
        Arrays.stream(state.toString().split(" "))
            .mapToLong(field -> Long.parseLong(field.split("[:+]")[0]))
            .max()
            .orElseThrow();
    if (ttlMs != null && ttlMs >= 0) {
      assertThat(ttlMs)
          .as("%s at %d", state, afterUs)
          .isBetween((endUs - afterUs) / 1000 - 1, (endUs - beforeUs) / 1000 + 2);
    } else {
      assertThat(ttlMs).as("gone between two commands").isEqualTo(-2);
    }
  }

  private static long micros(@Nullable Object time) {
    List<?> parts = (List<?>) time;
    return TimeUnit.SECONDS.toMicros(Long.parseLong(String.valueOf(parts.get(0))))
        + Long.parseLong(String.valueOf(parts.get(1)));
  }

  private static void pauseMs(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
