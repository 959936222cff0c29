package io.github.penstock.compat;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A random sequence of calls.
 *
 * @param startUs the time of the first step before it moves the clock
 */
record CallPlan(
    ScriptAlgorithm algorithm, List<List<Long>> tiers, long startUs, List<PlannedStep> steps) {

  /** A call with everything decided, and what the model says of it. */
  record Expectation(
      StoredValue before, boolean put, List<String> arguments, ExpectedOutcome outcome) {

    /** The same call on a key that nothing was done to before. */
    Expectation alone() {
      return new Expectation(before, before.text() != null, arguments, outcome);
    }
  }

  /** Plays the plan on the model. */
  List<Expectation> expectations(String key) {
    ModelStore store = new ModelStore();
    List<Expectation> expectations = new ArrayList<>();
    ExpectedOutcome last = null;
    long nowUs = startUs;
    for (PlannedStep step : steps) {
      if (step.foreign() != null) {
        store.put(key, StoredValue.string(step.foreign(), 1));
      }
      nowUs = step.timeAfter(last, nowUs);
      List<String> arguments = arguments(step, step.costAfter(last, tiers.get(0).get(0)), nowUs);
      StoredValue before = store.get(key);
      last = store.call(algorithm, List.of(key), arguments);
      expectations.add(new Expectation(before, step.foreign() != null, arguments, last));
    }
    return expectations;
  }

  private List<String> arguments(PlannedStep step, String cost, long nowUs) {
    List<String> arguments = new ArrayList<>(List.of(cost));
    for (List<Long> tier : tiers) {
      step.numbers(algorithm, tier).forEach(number -> arguments.add(Long.toString(number)));
    }
    arguments.add(Long.toString(nowUs));
    return arguments;
  }
}
