package io.github.penstock.test;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import java.time.Duration;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions of a decision; see {@link PenstockAssertions}. */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {
  DecisionAssert(@Nullable Decision actual) {
    super(actual, DecisionAssert.class);
  }

  /** The call may go ahead, and a limit decided. */
  public DecisionAssert isAllowed() {
    return decided(true, "allowed");
  }

  /** The call was denied, and a limit decided. */
  public DecisionAssert isDenied() {
    return decided(false, "denied");
  }

  /** No limit decided: an option did, in an outage or where something was full. */
  public DecisionAssert isUndecided() {
    isNotNull();
    if (actual.enforced()) {
      failWithMessage("Expected an undecided call, but a limit decided: %s", actual);
    }
    return this;
  }

  /** Asserts the number of free units. */
  public DecisionAssert hasRemaining(long units) {
    return has("remaining", units, decision().remaining());
  }

  /** Who decided. */
  public DecisionAssert hasSource(DecisionSource source) {
    return has("source", source, decision().source());
  }

  /** How long a denied caller should wait. */
  public DecisionAssert hasRetryAfter(Duration wait) {
    return has("retryAfter", wait, decision().retryAfter());
  }

  /** How long an allowed call should wait for its turn. */
  public DecisionAssert hasDelay(Duration delay) {
    return has("delay", delay, decision().delay());
  }

  private Decision decision() {
    isNotNull();
    return actual;
  }

  private DecisionAssert decided(boolean allowed, String what) {
    isNotNull();
    if (actual.allowed() != allowed || !actual.enforced()) {
      failWithMessage("Expected a call that a limit %s, but got: %s", what, actual);
    }
    return this;
  }

  private DecisionAssert has(String name, Object expected, Object found) {
    if (!expected.equals(found)) {
      failWithMessage("Expected %s to be %s, but it was %s: %s", name, expected, found, actual);
    }
    return this;
  }
}
