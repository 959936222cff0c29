package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.ServerClock;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.ToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Random calls without the caller's time, as production makes them: the server's clock runs along.
 */
class ServerTimePropertyTest {
  private static final long HOUR_US = 3_600_000_000L;

  @Property(tries = 60)
  @Label("P5 at the server's time a key lives exactly as long as its state matters")
  void timeToLive(
      @ForAll ScriptAlgorithm algorithm,
      @ForAll @IntRange(min = 1_000, max = 20_000) int shortUs,
      @ForAll @IntRange(min = 1, max = 5) int limit,
      @ForAll @Size(min = 2, max = 20) List<@IntRange(min = -3, max = 4) Integer> costs) {
    String key = "penstock-ttl:{" + UUID.randomUUID() + "}";
    ToLongFunction<String> endUs =
        state -> StateExamples.endUs(algorithm, state, List.of((long) shortUs, 100L * shortUs));
    for (ScriptRoute route : ScriptRoute.minified()) {
      long longestUs = 0;
      for (int cost : costs) {
        TimedAnswer answer = call(route, algorithm, key, cost, limit, shortUs, 100L * shortUs);
        longestUs = Math.max(longestUs, answer.longestUs());
        livesAsLongAsItsState(route.connection(), key, answer, longestUs, endUs);
        pauseMs(Math.floorMod(cost * 7L + shortUs, 4));
      }
      route.connection().call("DEL", key);
    }
  }

  @Property(tries = 20)
  @Label(
      "P5 a key whose time to live somebody removed heals with a write of a bucket, or the next window")
  void heals(
      @ForAll ScriptAlgorithm algorithm, @ForAll @IntRange(min = 5_000, max = 20_000) int shortUs) {
    String key = "penstock-heals:{" + UUID.randomUUID() + "}";
    for (ScriptRoute route : ScriptRoute.minified()) {
      TimedAnswer first = call(route, algorithm, key, 1, 3, shortUs, HOUR_US);
      assertThat(route.connection().call("PERSIST", key)).isEqualTo(1L);
      ServerClock.awaitPast(route.connection(), first.afterUs + shortUs);
      assertThat(call(route, algorithm, key, 1, 3, shortUs, HOUR_US).reply).startsWith(1L);
      assertThat((Long) route.connection().call("PTTL", key)).isPositive();
      route.connection().call("DEL", key);
    }
  }

  /**
   * A reply, and the server's time before and after the call.
   *
   * @param reply the six integers
   */
  private record TimedAnswer(List<Long> reply, long beforeUs, long afterUs) {
    /**
     * The longest that the server may have been kept from running between the script's TIME and its
     * SET, or, from Redis 7.2 on, between the time from which SET counts and the script's TIME.
     */
    long longestUs() {
      return afterUs - beforeUs;
    }

    /** The time until which the state certainly matters. */
    long endUs() {
      return beforeUs + reply.get(4);
    }
  }

  /** Two tiers of the same limit. */
  private static TimedAnswer call(
      ScriptRoute route,
      ScriptAlgorithm algorithm,
      String key,
      long cost,
      long limit,
      long shortUs,
      long longUs) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(cost)));
    for (long lengthUs : List.of(shortUs, longUs)) {
      algorithm.tier(limit, lengthUs).forEach(number -> arguments.add(Long.toString(number)));
    }
    RespConnection connection = route.connection();
    connection.send("TIME");
    connection.send(route.form().command(algorithm.scriptName(), List.of(key), arguments));
    connection.send("TIME");
    long beforeUs = ServerClock.micros(connection.receive());
    ScriptAnswer answer = ScriptAnswer.of(connection.receive());
    long afterUs = ServerClock.micros(connection.receive());
    assertThat(answer.error()).isNull();
    return new TimedAnswer(answer.reply(), beforeUs, afterUs);
  }

  private static void livesAsLongAsItsState(
      RespConnection connection,
      String key,
      TimedAnswer last,
      long longestUs,
      ToLongFunction<String> stateEndUs) {
    connection.send("TIME");
    connection.send("GET", key);
    connection.send("PTTL", key);
    connection.send("TIME");
    long beforeUs = ServerClock.micros(connection.receive());
    Object state = connection.receive();
    long ttlMs = (Long) connection.receive();
    long afterUs = ServerClock.micros(connection.receive());
    if (state == null) {
      assertThat(afterUs + longestUs)
          .as("no state, after %s", last)
          .isGreaterThanOrEqualTo(last.endUs());
      return;
    }
    long endUs = stateEndUs.applyAsLong(state.toString());
    if (ttlMs >= 0) {
      assertThat(ttlMs)
          .as("%s at %d, calls of at most %d us", state, afterUs, longestUs)
          .isBetween(
              (endUs - afterUs - longestUs) / 1000 - 1, (endUs - beforeUs + longestUs) / 1000 + 2);
    } else {
      assertThat(ttlMs).as("gone between two commands").isEqualTo(-2);
      assertThat(afterUs + longestUs).isGreaterThanOrEqualTo(endUs);
    }
  }

  private static void pauseMs(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
