package io.github.penstock.core.internal.near;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.time.SteppedTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DenialMemoryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMillis(100);
  private static final Limit BUCKET = TokenBucket.of(10).refill(100, SECOND);
  private final SteppedTime time = new SteppedTime();
  private final DenialMemory memory = new DenialMemory(1_000, MOST, time);

  static List<Arguments> sequences() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/near.json"));
    return JsonParser.parseString(json)
        .getAsJsonObject()
        .getAsJsonArray("sequences")
        .asList()
        .stream()
        .map(JsonElement::getAsJsonObject)
        .map(sequence -> Arguments.of(sequence.get("name").getAsString(), sequence))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sequences")
  void published(String name, JsonObject sequence) {
    long begin = time.nanos();
    Duration most = micros(sequence, "most_us");
    DenialMemory published = new DenialMemory(1_000, most, time);
    for (JsonElement each : sequence.getAsJsonArray("steps")) {
      JsonObject step = each.getAsJsonObject();
      time.pass(micros(step, "at_us").minusNanos(time.nanos() - begin));
      if (step.has("denied")) {
        PublishedCall call = PublishedCall.of(step.getAsJsonObject("denied"));
        Decision denied = decision(step.get("reply"), DecisionSource.SERVER);
        long sent = begin + micros(step, "sent_us").toNanos();
        published.remember(call.key, call.limit, call.cost, denied, sent, time.nanos());
      } else if (step.has("asked")) {
        PublishedCall call = PublishedCall.of(step.getAsJsonObject("asked"));
        JsonElement told = step.get("told");
        assertThat(published.find(call.key, call.limit, call.cost))
            .as("%s", step)
            .isEqualTo(told.isJsonNull() ? null : decision(told, DecisionSource.REMEMBERED));
      } else if (step.has("given_back")) {
        published.forget(bytes(step.get("given_back").getAsString()));
      } else {
        time.stepWall(micros(step, "wall_steps_us"));
      }
    }
  }

  @Test
  @DisplayName(
      "N6 a million subjects take no more than there are entries, and the latest are known")
  void bounded() {
    int subjects = 1_000_000;
    for (int i = 0; i < subjects; i++) {
      memory.remember(key(i), BUCKET, 1, denial(90_000), time.nanos(), time.nanos());
    }
    int known = 0;
    for (int i = 0; i < subjects; i++) {
      known += memory.find(key(i), BUCKET, 1) == null ? 0 : 1;
    }
    assertThat(known).isBetween(900, 1_000);
    assertThat(memory.count()).isEqualTo(known);
    memory.forget(key(subjects - 2));
    assertThat(memory.count()).as("less what is forgotten").isLessThan(known);
    assertThat(memory.find(key(subjects - 2), BUCKET, 1)).isNull();
    assertThat(memory.find(key(subjects - 1), BUCKET, 1)).isNotNull();
  }

  @Test
  @DisplayName("N6 a key that is very long is not remembered")
  void longKeys() {
    for (int length : new int[] {DenialMemory.MOST_KEY_BYTES, DenialMemory.MOST_KEY_BYTES + 1}) {
      byte[] key = bytes("k".repeat(length));
      memory.remember(key, BUCKET, 1, denial(90_000), time.nanos(), time.nanos());
      assertThat(memory.find(key, BUCKET, 1) != null)
          .isEqualTo(length == DenialMemory.MOST_KEY_BYTES);
    }
  }

  @Test
  @DisplayName("N1 a key that has another's hash has not its denials")
  void collision() {
    Map<Integer, byte[]> keys = new HashMap<>();
    byte[] one = null;
    byte[] other = null;
    for (int i = 0; one == null; i++) {
      other = key(i);
      one = keys.put(KeyHash.of(other), other);
    }
    memory.remember(one, BUCKET, 1, denial(90_000), time.nanos(), time.nanos());
    assertThat(memory.find(one, BUCKET, 1)).isNotNull();
    assertThat(memory.find(other, BUCKET, 1)).isNull();
  }

  @Test
  @DisplayName("N6 a call that is not answered here allocates nothing here")
  void allocatesNothing() {
    memory.remember(key(-1), BUCKET, 5, denial(50_000), time.nanos(), time.nanos());
    byte[][] keys = new byte[1_000][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(i);
    }
    findAll(keys);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long calls = 0;
    for (int i = 0; i < 100; i++) {
      calls += findAll(keys);
    }
    assertThat(calls).isEqualTo(100_000);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(calls);
  }

  private long findAll(byte[][] keys) {
    long unknown = 0;
    for (byte[] key : keys) {
      unknown += memory.find(key, BUCKET, 5) == null ? 1 : 0;
    }
    return unknown;
  }

  private record PublishedCall(byte[] key, Limit limit, long cost) {
    static PublishedCall of(JsonObject call) {
      return new PublishedCall(
          bytes(call.get("key").getAsString()),
          Limits.parse(call.get("limit").getAsString()),
          call.get("cost").getAsLong());
    }
  }

  private static Duration micros(JsonObject in, String name) {
    return Duration.of(in.get(name).getAsLong(), ChronoUnit.MICROS);
  }

  private static Decision decision(JsonElement reply, DecisionSource source) {
    long[] six = new Gson().fromJson(reply, long[].class);
    return new Decision(false, six[1], six[2], six[3], six[4], (int) six[5], source);
  }

  private static Decision denial(long waitMicros) {
    return new Decision(
        false,
        10,
        0,
        waitMicros,
        waitMicros < 0 ? 0 : waitMicros + 50_000,
        1,
        DecisionSource.SERVER);
  }

  private static byte[] key(int number) {
    return bytes("penstock:api:{user:" + number + "}:b10.100.1000000");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
