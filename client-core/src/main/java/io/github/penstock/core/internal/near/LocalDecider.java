package io.github.penstock.core.internal.near;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.limit.Limit;
import java.util.ServiceLoader;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides about keys within this process, for {@link
 * io.github.penstock.core.OnUnavailable#local(int)}. {@code penstock-client-local} has one, whose
 * {@link Factory} the {@link ServiceLoader} finds. Safe for use by several threads.
 */
public interface LocalDecider {
  /**
   * Charges as many of {@code calls} calls of a cost as there is room for.
   *
   * @param limit the limit of this process
   * @param cost units of each call, 1 to 10^12
   * @param calls the number of calls; their total cost is at most 10^12
   * @param denial the initial state of a key that is unused here; null for the full limit
   * @return how many calls were charged, and the decision; null if no more keys can be kept
   */
  @Nullable AcquiredUnits tryAcquire(
      String key, Limit limit, long cost, long calls, @Nullable LastDenial denial);

  /**
   * Gives units back that were charged here, but no more than have been used.
   *
   * @param limit as it was charged
   */
  void refund(String key, Limit limit, long units);

  interface Factory {
    /**
     * Returns a decider for the limiters of one object, which has charged nothing yet.
     *
     * @param nanos a clock that does not step back, in nanoseconds
     */
    LocalDecider create(LongSupplier nanos);
  }

  /**
   * Returns the factory that the class path has.
   *
   * @throws IllegalStateException if it has none
   */
  static Factory factory() {
    return ServiceLoader.load(Factory.class, LocalDecider.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "onUnavailable local needs io.github.penstock:penstock-client-local on the"
                        + " class path"));
  }
}
