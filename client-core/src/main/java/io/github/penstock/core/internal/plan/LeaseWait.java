package io.github.penstock.core.internal.plan;

import org.jspecify.annotations.Nullable;

/**
 * Waits for the lease that another call takes (rule L8).
 *
 * @param <R> how the caller gets its decision
 */
@FunctionalInterface
public interface LeaseWait<R> {
  /** Waits for {@link LeasedCall#other}; returns null if the call can be planned again. */
  @Nullable R await(LeasedCall leased);
}
