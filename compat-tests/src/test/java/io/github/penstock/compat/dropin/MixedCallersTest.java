package io.github.penstock.compat.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.ScriptRoute;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A rolling deployment: half of the callers on the old script, half on the drop-in, in random
 * order, on the same keys. Each is answered as if there were one kind of caller only.
 */
class MixedCallersTest {
  private static final int CALLS = 60;
  private static final int CAPACITY = 20;

  @Property(tries = 150)
  @Label("P11 old and new callers share keys, and are answered as either alone")
  void mixedCallers(@ForAll DropInScript script, @ForAll Random random) {
    RandomArguments arguments = new RandomArguments(script, random, false, false);
    List<List<String>> calls = Stream.generate(arguments::next).limit(CALLS).toList();
    for (ScriptRoute route : ScriptRoute.minified()) {
      List<@Nullable Object> old = replies(route, script, calls, () -> true);
      assertThat(replies(route, script, calls, () -> false))
          .as("new callers alone on %s, %s", route, calls)
          .isEqualTo(old);
      assertThat(replies(route, script, calls, random::nextBoolean))
          .as("old and new callers on %s, %s", route, calls)
          .isEqualTo(old);
    }
  }

  static Stream<ScriptRoute> servers() {
    return ScriptRoute.minified().stream();
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("P11 by the server's clock, old and new callers together get what a bucket holds")
  void byServersClock(ScriptRoute route) {
    Random random = new Random(13);
    assertThat(
            replies(route, DropInScript.RATE_BURST, calls("1e-6 20 ? 1"), random::nextBoolean)
                .stream()
                .map(reply -> ((List<?>) Objects.requireNonNull(reply)).get(0)))
        .isEqualTo(allowedFirst(1L, 0L));
    assertThat(
            replies(
                route, DropInScript.RATE_BURST_BOOLEAN, calls("1e-6 20 ? 1"), random::nextBoolean))
        .isEqualTo(allowedFirst(1L, null));
    assertThat(
            replies(route, DropInScript.REDIS_BUCKET, calls("1 1e-6 20"), random::nextBoolean)
                .stream()
                .map(reply -> ((List<?>) Objects.requireNonNull(reply)).get(0)))
        .isEqualTo(allowedFirst(1L, 0L));
    List<@Nullable Object> levels =
        replies(route, DropInScript.PRORATE_LEAKY_BUCKET, calls("1e-6 1 20"), random::nextBoolean);
    for (int i = 0; i < CALLS; i++) {
      Object full = ((List<?>) Objects.requireNonNull(levels.get(i))).get(1);
      // Some has leaked since the first call, so the twentieth does not quite fill the bucket.
      if (i != CAPACITY - 1) {
        assertThat(full).as("call %d", i + 1).isEqualTo(i < CAPACITY ? 0L : 1L);
      }
    }
  }

  /** The same call again and again; a question mark is an empty argument. */
  private static List<List<String>> calls(String arguments) {
    List<String> call = Stream.of(arguments.split(" ")).map(a -> a.equals("?") ? "" : a).toList();
    return Stream.generate(() -> call).limit(CALLS).toList();
  }

  private static List<@Nullable Object> allowedFirst(Object allowed, @Nullable Object denied) {
    List<@Nullable Object> replies = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      replies.add(i < CAPACITY ? allowed : denied);
    }
    return replies;
  }

  private static List<@Nullable Object> replies(
      ScriptRoute route, DropInScript script, List<List<String>> calls, BooleanSupplier isOld) {
    RespConnection connection = route.connection();
    OldScript old = OldScript.load(connection, script);
    String prefix = "penstock-mixed:{" + UUID.randomUUID() + "}:";
    List<String> keys =
        DropInSequence.usualKeys(script).stream().map(name -> prefix + name).toList();
    List<@Nullable Object> replies = new ArrayList<>();
    for (List<String> arguments : calls) {
      replies.add(
          isOld.getAsBoolean()
              ? old.call(connection, keys, arguments)
              : route.port().call(script.scriptName(), keys, arguments).value());
    }
    connection.call("DEL", prefix + "k", prefix + "t", prefix + "k_time");
    return replies;
  }
}
