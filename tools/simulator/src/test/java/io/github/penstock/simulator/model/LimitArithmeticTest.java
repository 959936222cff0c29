package io.github.penstock.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.local.internal.LimitArithmetic;
import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random histories: the arithmetic in longs answers as the exact model does. */
class LimitArithmeticTest {
  private static final long BEGIN_US = 1_763_712_000_000_000L;
  private static final long LAST_US = 1L << 52;
  private static final long MOST_UNITS = 1_000_000_000_000L;
  private static final long MOST_PERIOD_US = 31_622_400_000_000L;
  private static final int CALLS = 60;

  @Property
  void randomHistoriesAreAnsweredAsByTheExactModel(@ForAll LimitKind kind, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    limit(kind, random).ifPresent(limit -> History.of(limit, random).isTheSame());
  }

  /* Each kind of answer must occur, or the histories would show little. */
  @ParameterizedTest
  @EnumSource
  void theHistoriesAdmitAndDenyAndNeverAdmit(LimitKind kind) {
    int admitted = 0;
    int denied = 0;
    int never = 0;
    int several = 0;
    int limits = 0;
    for (int seed = 0; seed < 600; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Optional<Limit> limit = limit(kind, random);
      if (limit.isPresent()) {
        limits++;
        for (ModelReply reply : History.of(limit.get(), random).isTheSame()) {
          admitted += reply.granted() == 1 ? 1 : 0;
          several += reply.granted() > 1 ? 1 : 0;
          denied += !reply.allowed() && reply.waitUs() > 0 ? 1 : 0;
          never += reply.waitUs() == -1 ? 1 : 0;
        }
      }
    }
    assertThat(limits).isGreaterThan(100);
    assertThat(List.of(admitted, denied, never, several)).allMatch(count -> count > 500);
  }

  /* Empty if the numbers do not go together. */
  private static Optional<Limit> limit(LimitKind kind, SplittableRandom random) {
    List<String> tiers = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      String burst = kind.holdsBurst() ? ",burst=" + number(random, MOST_UNITS) : "";
      tiers.add(number(random, MOST_UNITS) + "/" + number(random, MOST_PERIOD_US) + "us" + burst);
    }
    try {
      return Optional.of(Limits.parse(kind.script().scriptName() + ":" + String.join("+", tiers)));
    } catch (IllegalArgumentException tooMuchTogether) {
      return Optional.empty();
    }
  }

  /* Of any size, often a round or a small one. */
  private static long number(SplittableRandom random, long most) {
    long greatest = Math.min(most, 1L << 1 + random.nextInt(46));
    long number = 1 + random.nextLong(greatest);
    return random.nextInt(4) == 0 ? greatest : number;
  }

  private record History(Limit limit, List<String> tiers, SplittableRandom random) {
    static History of(Limit limit, SplittableRandom random) {
      return new History(limit, LimitEncoding.of(limit).arguments(), random);
    }

    List<ModelReply> isTheSame() {
      ExactModel exact = ExactModel.of(ScriptAlgorithm.named(limit.algorithm()));
      LimitArithmetic longs = new LimitArithmetic(limit);
      StoredValue stored = StoredValue.NOTHING;
      long[] state = new long[longs.numbers()];
      long nowUs = BEGIN_US;
      List<ModelReply> replies = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        nowUs = Math.min(LAST_US - 1, nowUs + pause());
        long cost = cost();
        long calls = random.nextInt(4) == 0 ? 1 + random.nextLong(MOST_UNITS / cost) : 1;
        calls = random.nextBoolean() ? calls : Math.min(calls, 1 + random.nextInt(9));
        ExpectedOutcome outcome = call(exact, cost, calls, nowUs, stored);
        ModelReply reply = ModelReply.of(longs.call(cost, calls, nowUs, state));
        assertThat(reply.integers())
            .as("%s, call %d, %d*%d at %d on %s", limit, i, cost, calls, nowUs, stored)
            .isEqualTo(outcome.reply());
        assertThat(reply.allowed()).isEqualTo(outcome.written());
        stored = outcome.stored();
        if (outcome.written()) {
          assertThat(longs.ttlMs()).isEqualTo(stored.ttlMs());
        }
        replies.add(reply);
      }
      return replies;
    }

    private ExpectedOutcome call(
        ExactModel exact, long cost, long calls, long nowUs, StoredValue stored) {
      List<String> arguments = new ArrayList<>();
      arguments.add(calls == 1 ? Long.toString(cost) : cost + "*" + calls);
      arguments.addAll(tiers);
      arguments.add(Long.toString(nowUs));
      return exact.call(List.of("key"), arguments, stored, 0);
    }

    /* Often one that fits, or nearly. */
    private long cost() {
      long capacity = limit.tiers().stream().mapToLong(LimitTier::capacity).min().orElseThrow();
      return switch (random.nextInt(6)) {
        case 0 -> 1;
        case 1 -> Math.min(MOST_UNITS, capacity + 1);
        case 2 -> number(random, MOST_UNITS);
        default -> 1 + random.nextLong(Math.max(1, capacity / (1 + random.nextInt(8))));
      };
    }

    private long pause() {
      long periodUs = limit.tiers().get(random.nextInt(limit.tiers().size())).periodMicros();
      return switch (random.nextInt(6)) {
        case 0 -> 0;
        case 1 -> periodUs;
        case 2 -> number(random, MOST_PERIOD_US);
        default -> random.nextLong(1 + periodUs / (1 + random.nextInt(8)));
      };
    }
  }
}
