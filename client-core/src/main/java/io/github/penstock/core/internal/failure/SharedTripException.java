package io.github.penstock.core.internal.failure;

/**
 * The failure of a trip, for its calls but one: only one counts for the circuit breaker. The
 * classifier unwraps it.
 */
public final class SharedTripException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final RuntimeException failure;

  public SharedTripException(RuntimeException failure) {
    super(null, failure, false, false);
    this.failure = failure;
  }

  RuntimeException failure() {
    return failure;
  }
}
