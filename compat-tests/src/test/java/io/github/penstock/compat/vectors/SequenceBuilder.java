package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays a sequence on the model and writes down what happened. Not safe for use by several threads.
 */
final class SequenceBuilder {
  /** The time at which sequences begin: 14 November 2023. */
  static final long START_US = 1_700_000_000_000_000L;

  private final ScriptAlgorithm algorithm;
  private final String name;
  private final ModelStore store = new ModelStore();
  private final List<VectorStep> steps = new ArrayList<>();
  private List<String> keys = List.of(VectorStep.DEFAULT_KEY);
  private List<String> tiers = List.of();
  private long nowUs = START_US;
  private @Nullable StoredValue before;
  private @Nullable ExpectedOutcome last;

  SequenceBuilder(ScriptAlgorithm algorithm, String name) {
    this.algorithm = algorithm;
    this.name = name;
  }

  /** The tiers of the calls that follow, as one text of numbers separated by spaces. */
  SequenceBuilder tiers(String numbers) {
    tiers = List.of(numbers.split(" "));
    return this;
  }

  SequenceBuilder keys(String... names) {
    keys = List.of(names);
    return this;
  }

  SequenceBuilder at(long timeUs) {
    nowUs = timeUs;
    return this;
  }

  /** Moves the clock; back if negative. */
  SequenceBuilder later(long us) {
    return at(nowUs + us);
  }

  /** Moves the clock by the wait of the last reply. */
  SequenceBuilder laterByWait() {
    return later(last().waitUs());
  }

  /** Moves the clock by the reset of the last reply. */
  SequenceBuilder laterByReset() {
    return later(last().resetUs());
  }

  /** Puts a value under the key before the next call. */
  SequenceBuilder before(StoredValue value) {
    before = value;
    return this;
  }

  SequenceBuilder before(String text) {
    return before(StoredValue.string(text, 777_000_000));
  }

  /** A call of each of these costs. */
  SequenceBuilder call(long... costs) {
    return costs(LongStream.of(costs).mapToObj(Long::toString).toArray(String[]::new));
  }

  /** The same of costs in any form, such as {@code 1*64}. */
  SequenceBuilder costs(String... costs) {
    for (String cost : costs) {
      List<String> arguments = new ArrayList<>();
      arguments.add(cost);
      arguments.addAll(tiers);
      arguments.add(Long.toString(nowUs));
      raw(arguments);
    }
    return this;
  }

  SequenceBuilder raw(List<String> arguments) {
    String inspected = keys.isEmpty() ? VectorStep.DEFAULT_KEY : keys.get(0);
    if (before != null) {
      store.put(inspected, before);
    }
    ExpectedOutcome outcome = store.call(algorithm, keys, arguments);
    ExpectedOutcome seen =
        new ExpectedOutcome(
            outcome.reply(), outcome.error(), outcome.written(), store.get(inspected));
    steps.add(new VectorStep(before, keys, arguments, seen));
    last = seen;
    before = null;
    return this;
  }

  private ExpectedOutcome last() {
    return Objects.requireNonNull(last, "there must be a call before");
  }

  VectorSequence build() {
    return new VectorSequence(name, VectorSequence.Origin.MODEL, steps);
  }
}
