package io.github.penstock.test;

import io.github.penstock.core.Decision;
import org.jspecify.annotations.Nullable;

/** Where assertions begin, with AssertJ on the class path. */
public final class PenstockAssertions {
  private PenstockAssertions() {}

  /** Begins assertions of a decision. */
  public static DecisionAssert assertThat(@Nullable Decision decision) {
    return new DecisionAssert(decision);
  }

  /** Begins assertions of the calls that limiters got. */
  public static RecordedCallsAssert assertThat(@Nullable TestRateLimiters limiters) {
    return new RecordedCallsAssert(limiters);
  }
}
