package io.github.penstock.compat.vectors;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.model.ModelStore;
import io.github.penstock.compat.model.Outcome;
import io.github.penstock.compat.model.Stored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays a sequence on the model and writes down what happened. Not safe for use by several threads.
 */
final class SequenceBuilder {
  /** The time at which sequences begin: 14 November 2023. */
  static final long START_US = 1_700_000_000_000_000L;

  private final Algorithm algorithm;
  private final String name;
  private final ModelStore store = new ModelStore();
  private final List<Step> steps = new ArrayList<>();
  private List<String> keys = List.of(Step.DEFAULT_KEY);
  private List<String> tiers = List.of();
  private long nowUs = START_US;
  private @Nullable Stored before;

  SequenceBuilder(Algorithm algorithm, String name) {
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
  SequenceBuilder before(Stored value) {
    before = value;
    return this;
  }

  SequenceBuilder before(String text) {
    return before(Stored.string(text, 777_000_000));
  }

  /** A call of each of these costs. */
  SequenceBuilder call(long... costs) {
    for (long cost : costs) {
      List<String> arguments = new ArrayList<>();
      arguments.add(Long.toString(cost));
      arguments.addAll(tiers);
      arguments.add(Long.toString(nowUs));
      raw(arguments);
    }
    return this;
  }

  SequenceBuilder raw(List<String> arguments) {
    String inspected = keys.isEmpty() ? Step.DEFAULT_KEY : keys.get(0);
    if (before != null) {
      store.put(inspected, before);
    }
    Outcome outcome = store.call(algorithm, keys, arguments);
    Outcome seen =
        new Outcome(outcome.reply(), outcome.error(), outcome.written(), store.get(inspected));
    steps.add(new Step(before, keys, arguments, seen));
    before = null;
    return this;
  }

  private Outcome last() {
    return steps.get(steps.size() - 1).expected();
  }

  Sequence build() {
    return new Sequence(name, Sequence.Origin.MODEL, steps);
  }
}
