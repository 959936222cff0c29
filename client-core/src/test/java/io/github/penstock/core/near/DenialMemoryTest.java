package io.github.penstock.core.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DenialMemoryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMillis(100);
  private static final Duration TRIP = Duration.ofMillis(2);
  private static final byte[] KEY = bytes("penstock:api:{u}:b10.100.1000000");
  private static final Limit BUCKET = TokenBucket.of(10).refill(100, SECOND);
  private static final Limit WINDOW = FixedWindow.of(50, SECOND);
  private final SteppedTime time = new SteppedTime();
  private final DenialMemory memory = new DenialMemory(1_000, MOST, time);

  @Test
  @DisplayName("N1 the same cost is denied for 0.999 of the wait, counted from before the call")
  void untilTheWait() {
    denied(BUCKET, 5, 50_000);
    assertThat(find(BUCKET, 5)).isNotNull();
    time.pass(Duration.ofNanos(49_950_000 - TRIP.toNanos() - 1));
    assertThat(find(BUCKET, 5)).isNotNull();
    time.pass(Duration.ofNanos(1));
    assertThat(find(BUCKET, 5)).isNull();
  }

  @Test
  @DisplayName("N1 N3 and for 100 ms at most, impossible costs, too")
  void atMost() {
    for (long wait : new long[] {3_000_000_000_000_000L, -1}) {
      denied(BUCKET, 50, wait);
      time.pass(MOST.minus(TRIP).minusNanos(1));
      Decision told = find(BUCKET, 50);
      assertThat(told).isNotNull();
      assertThat(told.impossible()).isEqualTo(wait < 0);
      time.pass(Duration.ofNanos(1));
      assertThat(find(BUCKET, 50)).isNull();
    }
  }

  @Test
  @DisplayName("N1 another limit of the same key is asked about, and another key")
  void otherLimits() {
    denied(WINDOW, 1, 500_000);
    assertThat(find(FixedWindow.of(50, SECOND), 1)).isNotNull();
    assertThat(find(FixedWindow.of(100, SECOND), 1)).isNull();
    assertThat(find(SlidingWindow.of(50, SECOND), 1)).isNull();
    assertThat(memory.find(bytes("penstock:api:{v}:w1000000"), WINDOW, 1)).isNull();
  }

  @Test
  @DisplayName(
      "N1 N4 a greater cost up to the limit is denied, and waits as much longer as it takes")
  void greaterCosts() {
    denied(BUCKET, 5, 50_000);
    assertThat(find(BUCKET, 4)).isNull();
    assertThat(told(BUCKET, 8)).isEqualTo(told(BUCKET, 5) + 30_000);
    assertThat(find(BUCKET, 11)).isNull();
    Limit odd = TokenBucket.of(10).refill(7, SECOND);
    denied(odd, 1, 50_000);
    assertThat(told(odd, 2)).isEqualTo(told(odd, 1) + 142_858);
    Limit leaky = LeakyBucket.of(10).leak(100, SECOND);
    denied(leaky, 5, 50_000);
    assertThat(told(leaky, 6)).isEqualTo(told(leaky, 5) + 10_000);
    denied(WINDOW, 5, 50_000);
    assertThat(told(WINDOW, 50)).isEqualTo(told(WINDOW, 5));
    assertThat(find(WINDOW, 51)).isNull();
    Limit batches = IntervalBucket.of(10).refill(3, SECOND);
    denied(batches, 2, 50_000);
    assertThat(told(batches, 3)).isEqualTo(told(batches, 2));
    assertThat(told(batches, 4)).isEqualTo(told(batches, 2) + 1_000_000);
    assertThat(find(batches, 11)).isNull();
  }

  @Test
  @DisplayName("N1 where several tiers or two windows decide, only the same cost is denied")
  void onlyEqual() {
    for (Limit limit :
        List.of(
            BUCKET.and(TokenBucket.of(90).refill(1, SECOND)),
            WINDOW.and(FixedWindow.of(90, Duration.ofSeconds(9))),
            SlidingWindow.of(50, SECOND))) {
      denied(limit, 5, 50_000);
      assertThat(find(limit, 5)).as("%s", limit).isNotNull();
      assertThat(find(limit, 6)).as("%s", limit).isNull();
    }
  }

  @Test
  @DisplayName("N1 the greatest bucket's waits do not overflow")
  void greatestNumbers() {
    Limit slow = TokenBucket.of(1_000_000_000_000L).refill(1_000_000, SECOND);
    denied(slow, 1, 1);
    denied(slow, 1, 1_000_000);
    assertThat(told(slow, 1_000_000_000_000L)).isEqualTo(told(slow, 1) + 999_999_999_999L);
  }

  @Test
  @DisplayName("N4 the wait is less what has surely passed since the answer, rounded up")
  void waitsLess() {
    denied(BUCKET, 5, 50_000);
    assertThat(told(BUCKET, 5)).isEqualTo(50_000);
    time.pass(Duration.ofMillis(10));
    Decision told = find(BUCKET, 5);
    assertThat(told)
        .isEqualTo(new Decision(false, 10, 0, 40_010, 90_010, 1, DecisionSource.REMEMBERED));
    time.pass(Duration.ofNanos(1_500));
    assertThat(told(BUCKET, 5)).isEqualTo(40_010);
  }

  @Test
  @DisplayName(
      "N3 a machine that was suspended forgets, and so does an answer that waited meanwhile")
  void suspended() {
    denied(BUCKET, 5, 50_000);
    time.stepWall(Duration.ofMinutes(10));
    assertThat(find(BUCKET, 5)).isNull();
    denied(BUCKET, 5, 50_000);
    assertThat(find(BUCKET, 5)).isNotNull();
    long sent = time.nanos();
    time.stepWall(Duration.ofMinutes(10));
    time.pass(TRIP);
    memory.remember(KEY, BUCKET, 5, denial(50_000), sent, time.nanos());
    assertThat(find(BUCKET, 5)).isNull();
    denied(BUCKET, 5, 50_000);
    time.stepWall(Duration.ofMinutes(-10));
    assertThat(find(BUCKET, 5)).isNull();
  }

  @Test
  @DisplayName(
      "N5 a refund forgets the key under every limit; what was asked before it has ended is not remembered")
  void refunds() {
    denied(WINDOW, 1, 500_000);
    memory.forget(KEY);
    assertThat(find(WINDOW, 1)).isNull();
    long before = time.nanos();
    memory.forget(KEY);
    time.pass(TRIP);
    memory.remember(KEY, WINDOW, 1, denial(500_000), before, time.nanos());
    assertThat(find(WINDOW, 1)).isNull();
    denied(WINDOW, 1, 500_000);
    assertThat(find(WINDOW, 1)).isNotNull();
    memory.forget(KEY);
    assertThat(find(WINDOW, 1)).isNull();
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
  @DisplayName("N6 a call that is not answered here allocates nothing here")
  void allocatesNothing() {
    denied(BUCKET, 5, 50_000);
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

  /* A call that was denied after a trip. */
  private void denied(Limit limit, long cost, long waitMicros) {
    time.pass(Duration.ofNanos(1));
    long sent = time.nanos();
    time.pass(TRIP);
    memory.remember(KEY, limit, cost, denial(waitMicros), sent, time.nanos());
  }

  private @Nullable Decision find(Limit limit, long cost) {
    return memory.find(KEY, limit, cost);
  }

  private long told(Limit limit, long cost) {
    Decision told = find(limit, cost);
    assertThat(told).isNotNull();
    return told.waitMicros();
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
