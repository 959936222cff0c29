package io.github.penstock.compat.script;

import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.compat.vectors.VectorStep;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random sequences of calls, each with the model's result. Not for several threads. */
public final class RandomCalls {
  private static final int STEPS = 25;

  private final ScriptAlgorithm algorithm;
  private final long seed;
  private final Random random;
  private final ModelStore model = new ModelStore();
  private final List<List<Long>> tiers = new ArrayList<>();
  private long nowUs = TimedKey.START_US;
  private long limit;
  private long remaining;
  private long waitUs;
  private long resetUs;

  private RandomCalls(ScriptAlgorithm algorithm, long seed) {
    this.algorithm = algorithm;
    this.seed = seed;
    random = new Random(seed);
  }

  /** The sequence that a seed makes, always the same. */
  public static VectorSequence sequence(ScriptAlgorithm algorithm, long seed) {
    return new RandomCalls(algorithm, seed).sequence();
  }

  private VectorSequence sequence() {
    int count = random.nextInt(4) == 0 ? 1 + random.nextInt(16) : 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      tiers.add(tier());
    }
    limit = tiers.get(0).get(0);
    remaining = limit;
    List<VectorStep> steps = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      steps.add(step());
    }
    return new VectorSequence(
        "P7 random calls of seed " + seed, VectorSequence.Origin.MODEL, steps);
  }

  private List<Long> tier() {
    boolean large = random.nextInt(4) == 0;
    long units = 1 + random.nextLong(large ? 1_000_000 : 20);
    long perPeriod = 1 + random.nextLong(large ? 1_000_000 : 20);
    long periodUs = 1 + random.nextLong(large ? 8_000_000_000L : 3_000_000);
    return LimitSetting.numbers(algorithm, units, perPeriod, periodUs);
  }

  private VectorStep step() {
    nowUs += passedUs();
    List<String> arguments = new ArrayList<>(List.of(costText()));
    tiers.forEach(tier -> tier.forEach(number -> arguments.add(Long.toString(number))));
    arguments.add(Long.toString(nowUs));
    List<String> keys = List.of(VectorStep.DEFAULT_KEY);
    ExpectedOutcome outcome = model.call(algorithm, keys, arguments);
    if (outcome.error() == null) {
      limit = outcome.reply().get(1);
      remaining = outcome.reply().get(2);
      waitUs = Math.max(0, outcome.waitUs());
      resetUs = outcome.resetUs();
    }
    ExpectedOutcome seen =
        new ExpectedOutcome(
            outcome.reply(), outcome.error(), outcome.written(), model.get(VectorStep.DEFAULT_KEY));
    return new VectorStep(null, keys, arguments, seen);
  }

  private String costText() {
    return random.nextInt(5) == 0
        ? 1 + random.nextLong(limit) + "*" + (1 + random.nextInt(20))
        : Long.toString(cost());
  }

  private long cost() {
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1 -> remaining;
      case 2 -> remaining + 1;
      case 3 -> limit;
      case 4 -> limit + 1;
      case 5 -> -1 - random.nextLong(limit);
      case 6 -> -Limit.MAX_UNITS;
      case 7 -> 1 + random.nextLong(limit);
      default -> 1;
    };
  }

  private long passedUs() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> 0;
      case 2 -> waitUs;
      case 3 -> Math.max(0, waitUs - 1);
      case 4 -> resetUs;
      case 5 -> random.nextLong(2_000_000);
      case 6 -> -random.nextLong(2_000_000);
      default -> resetUs / 3;
    };
  }
}
