package io.github.penstock.compat.dropin;

import io.github.penstock.compat.vectors.SecondKey;
import io.github.penstock.compat.vectors.VectorOutcome;
import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.compat.vectors.VectorStep;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Plays a sequence of calls on the model and writes down what happened. Not safe for use by several
 * threads.
 */
final class DropInSequence {
  private final DropInScript script;
  private final String name;
  private final DropInStore store = new DropInStore();
  private final List<VectorStep> steps = new ArrayList<>();
  private List<String> keys;
  private @Nullable StoredValue before;
  private @Nullable StoredValue beforeSecond;

  DropInSequence(DropInScript script, String name) {
    this.script = script;
    this.name = name;
    this.keys = usualKeys(script);
  }

  static List<String> usualKeys(DropInScript script) {
    return script.numberOfKeys() == 2 ? List.of("k", "t") : List.of("k");
  }

  DropInSequence keys(List<String> names) {
    keys = names;
    return this;
  }

  /** Puts values under the keys before the next call; null leaves what is there. */
  DropInSequence before(@Nullable StoredValue first, @Nullable StoredValue second) {
    before = first;
    beforeSecond = second;
    return this;
  }

  DropInSequence raw(List<String> arguments) {
    String first = keys.isEmpty() ? VectorStep.DEFAULT_KEY : keys.get(0);
    String second = DropInModel.secondKey(script, keys);
    if (before != null) {
      store.put(first, before);
    }
    if (beforeSecond != null) {
      store.put(Objects.requireNonNull(second, "there must be a second key"), beforeSecond);
    }
    VectorOutcome outcome = DropInModel.call(script, store, keys, arguments);
    SecondKey other =
        second == null ? null : new SecondKey(second, beforeSecond, store.get(second));
    steps.add(new VectorStep(before, keys, arguments, outcome, other));
    before = null;
    beforeSecond = null;
    return this;
  }

  VectorSequence build(VectorSequence.Origin origin) {
    return new VectorSequence(name, origin, steps);
  }
}
