package io.github.penstock.compat.vectors;

import com.google.gson.annotations.SerializedName;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.StoredValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call and its expected result.
 *
 * @param before the value to put under the first key before the call; null to leave the current one
 * @param keys short names of keys, which the runner makes unique
 * @param arguments the arguments, the caller's time among them
 * @param expected the answer, and the value under the first key (or {@link #DEFAULT_KEY})
 *     afterwards
 * @param second the other key, if there is one
 */
public record VectorStep(
    @Nullable StoredValue before,
    List<String> keys,
    @SerializedName("args") List<String> arguments,
    VectorOutcome expected,
    @Nullable SecondKey second) {
  /** The short name of the key of most sequences. */
  public static final String DEFAULT_KEY = "k";

  /** Copies the lists. */
  public VectorStep {
    keys = List.copyOf(keys);
    arguments = List.copyOf(arguments);
  }

  /** A call of a script of the protocol. */
  public VectorStep(
      @Nullable StoredValue before,
      List<String> keys,
      List<String> arguments,
      ExpectedOutcome expected) {
    this(before, keys, arguments, VectorOutcome.of(expected), null);
  }

  /** This step with this expectation. */
  VectorStep expecting(VectorOutcome outcome) {
    return new VectorStep(before, keys, arguments, outcome, second);
  }

  /** The short name of the key whose state is looked at. */
  public String inspectedKey() {
    return keys.isEmpty() ? DEFAULT_KEY : keys.get(0);
  }
}
