package io.github.penstock.compat.load;

import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.OverloadedException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of a load and its outcome.
 *
 * @param decision null if it failed
 * @param failure null if it was decided
 */
public record LoadCall(
    String subject,
    long startNanos,
    long endNanos,
    @Nullable Decision decision,
    @Nullable RuntimeException failure) {

  /** Makes a call and keeps its outcome. */
  public static LoadCall make(String subject, Function<String, Decision> call) {
    long start = System.nanoTime();
    try {
      Decision decision = call.apply(subject);
      return new LoadCall(subject, start, System.nanoTime(), decision, null);
    } catch (RuntimeException failure) {
      return new LoadCall(subject, start, System.nanoTime(), null, failure);
    }
  }

  /** Returns how long it took. */
  public long nanos() {
    return endNanos - startNanos;
  }

  /** True if it was not decided. */
  public boolean failed() {
    return failure != null;
  }

  /** True if it failed and says that it may have been charged. */
  public boolean mayHaveBeenCharged() {
    return failure instanceof MayHaveBeenChargedException
        || failure instanceof OverloadedException
            && String.valueOf(failure.getMessage()).contains("may have been charged");
  }

  /** True if the server admitted it. */
  public boolean admitted() {
    return decision != null && decision.allowed() && decision.enforced();
  }
}
