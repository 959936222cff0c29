package io.github.penstock.local.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SubjectUseTest {
  private static final int HISTORIES = Integer.getInteger("penstock.tries", 300);
  private static final int STEPS = 40;
  private static final long START_US = 1_700_000_000_000_000L;

  /* Scripts take no other time. */
  private static final long EARLIEST_US = 1_000_000_000_000_000L;
  private static final long LATEST_US = (1L << 52) - 1;

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  @DisplayName("P3 P4 P7 P9 P10 random histories are answered as the exact model answers them")
  void equalsModel(LimitKind kind) {
    long first = Long.getLong("penstock.seed", System.nanoTime());
    for (long seed = first; seed < first + HISTORIES; seed++) {
      new History(kind, seed).play();
    }
  }

  private static final class History {
    private final long seed;
    private final Random random;
    private final Limit limit;
    private final TierTerms[] terms;
    private final SubjectUse use;
    private final ScriptAlgorithm algorithm;
    private final ModelStore model = new ModelStore();
    private long nowUs = START_US;
    private List<Long> last;

    History(LimitKind kind, long seed) {
      this.seed = seed;
      random = new Random(seed);
      limit = new RandomLimits(random).limit(kind);
      terms = TierTerms.of(limit);
      use = new SubjectUse("one", kind, terms);
      algorithm = ScriptAlgorithm.named(kind.script().scriptName());
      long capacity = limit.tiers().get(0).capacity();
      last = List.of(1L, capacity, capacity, 0L, 0L, 1L);
    }

    void play() {
      for (int i = 0; i < STEPS; i++) {
        nowUs = Math.max(EARLIEST_US, Math.min(LATEST_US, nowUs + passedUs()));
        long each = random.nextInt(5) == 0 ? 1 + random.nextLong(last.get(1)) : cost();
        long most = each > 0 ? Limit.MAX_UNITS / each : 1;
        long calls = each > 0 && random.nextInt(4) == 0 ? 1 + random.nextLong(most) : 1;
        List<Long> expected = expected(each, calls);
        long[] answer = use.call(terms, each, calls, nowUs);
        assertThat(Arrays.stream(answer).boxed().toList())
            .as("-Dpenstock.seed=%d, call %d: %d*%d of %s", seed, i, each, calls, limit)
            .isEqualTo(expected);
        last = expected;
      }
    }

    private List<Long> expected(long cost, long calls) {
      List<String> arguments = new ArrayList<>();
      arguments.add(calls == 1 ? Long.toString(cost) : cost + "*" + calls);
      arguments.addAll(LimitEncoding.of(limit).arguments());
      arguments.add(Long.toString(nowUs));
      return model.call(algorithm, List.of("key"), arguments).reply();
    }

    private long cost() {
      long capacity = last.get(1);
      long remaining = last.get(2);
      return switch (random.nextInt(10)) {
        case 0 -> 0;
        case 1 -> remaining;
        case 2 -> Math.min(Limit.MAX_UNITS, remaining + 1);
        case 3 -> capacity;
        case 4 -> Math.min(Limit.MAX_UNITS, capacity + 1);
        case 5 -> -1 - random.nextLong(capacity);
        case 6 -> -Limit.MAX_UNITS;
        case 7 -> 1 + random.nextLong(capacity);
        default -> 1;
      };
    }

    private long passedUs() {
      long waitUs = Math.max(0, last.get(3));
      long resetUs = last.get(4);
      return switch (random.nextInt(9)) {
        case 0, 1 -> 0;
        case 2 -> waitUs;
        case 3 -> Math.max(0, waitUs - 1);
        case 4 -> resetUs;
        case 5 -> random.nextLong(2_000_000);
        case 6 -> -random.nextLong(2_000_000);
        case 7 -> random.nextInt(5) == 0 ? -resetUs : 0;
        default -> resetUs / 3;
      };
    }
  }
}
