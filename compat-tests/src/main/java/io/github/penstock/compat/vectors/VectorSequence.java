package io.github.penstock.compat.vectors;

import com.google.gson.annotations.SerializedName;
import java.util.Arrays;
import java.util.List;

/**
 * Calls in their order, on unique keys.
 *
 * @param name a sentence that begins with the numbers of the rules that it shows, such as {@code P3
 *     P7 ...}
 * @param origin where the expectations come from
 * @param steps the calls
 */
public record VectorSequence(String name, Origin origin, List<VectorStep> steps) {
  /** Where the expectations of a sequence come from. */
  public enum Origin {
    /** Computed by the model. */
    @SerializedName("model")
    MODEL,
    /** Computed by hand from the protocol. */
    @SerializedName("hand")
    HAND
  }

  /** Copies the list and checks that the name begins with a rule. */
  public VectorSequence {
    steps = List.copyOf(steps);
    if (!name.matches("(P\\d+ )+\\S.*")) {
      throw new IllegalArgumentException("name must begin with a rule, not " + name);
    }
  }

  /** The rules that the sequence shows, such as {@code P3}. */
  public List<String> rules() {
    return Arrays.stream(name.split(" ")).takeWhile(word -> word.matches("P\\d+")).toList();
  }
}
