package io.github.penstock.compat.vectors;

import com.google.gson.annotations.SerializedName;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.StoredValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one call, and the state that it must leave behind.
 *
 * @param reply a list of Longs and Strings, one of them, or null for nil; an empty list for an
 *     error
 * @param error the argument that the error names, or {@link ExpectedOutcome#WRONG_TYPE}; null for a
 *     reply
 * @param written true if the key was set or deleted
 * @param isTtlKept true if the value was written, and the time to live went on from before
 * @param stored the value under the key afterwards
 */
public record VectorOutcome(
    @Nullable Object reply,
    @Nullable String error,
    boolean written,
    @SerializedName("ttl_kept") boolean isTtlKept,
    StoredValue stored) {
  /** An error has an empty reply. */
  public VectorOutcome {
    reply = error == null ? reply : List.of();
  }

  /** The model's expectation of a script of the protocol. */
  public static VectorOutcome of(ExpectedOutcome outcome) {
    return new VectorOutcome(
        outcome.reply(), outcome.error(), outcome.written(), false, outcome.stored());
  }

  /** True if the time to live was set by the call itself. */
  boolean setsTtl() {
    return written && !isTtlKept;
  }
}
