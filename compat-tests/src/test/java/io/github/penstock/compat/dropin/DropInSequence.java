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
 * Plays a sequence of calls on the model and writes down what happened; what was computed by hand
 * is compared at once. Not safe for use by several threads.
 */
final class DropInSequence {
  private final DropInScript script;
  private final String name;
  private final DropInStore store = new DropInStore();
  private final List<VectorStep> steps = new ArrayList<>();
  private VectorSequence.Origin origin = VectorSequence.Origin.MODEL;
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

  DropInSequence keys(String... names) {
    keys = List.of(names);
    return this;
  }

  /** Puts values under the keys before the next call; null leaves what is there. */
  DropInSequence before(@Nullable StoredValue first, @Nullable StoredValue second) {
    before = first;
    beforeSecond = second;
    return this;
  }

  /** A call; the arguments as one text, separated by spaces. */
  DropInSequence call(String arguments) {
    return raw(List.of(arguments.split(" ")));
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

  /** Compares the last reply and what is stored now with what was computed by hand. */
  DropInSequence hand(@Nullable Object reply, String... texts) {
    origin = VectorSequence.Origin.HAND;
    VectorStep last = steps.get(steps.size() - 1);
    List<String> stored = new ArrayList<>();
    stored.add(String.valueOf(last.expected().stored().text()));
    if (texts.length == 2) {
      stored.add(String.valueOf(Objects.requireNonNull(last.second(), "no key").stored().text()));
    }
    if (!Objects.equals(last.expected().reply(), reply) || !stored.equals(List.of(texts))) {
      throw new IllegalStateException(
          "%s: by hand %s and %s, not %s".formatted(name, reply, List.of(texts), last));
    }
    return this;
  }

  VectorSequence build() {
    return new VectorSequence(name, origin, steps);
  }
}
