package io.github.penstock.test;

import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions of the calls that limiters got; see {@link PenstockAssertions}. */
public final class RecordedCallsAssert
    extends AbstractAssert<RecordedCallsAssert, TestRateLimiters> {
  RecordedCallsAssert(@Nullable TestRateLimiters actual) {
    super(actual, RecordedCallsAssert.class);
  }

  /** Asserts the number of units that a subject took of a policy, in all calls together. */
  public RecordedCallsAssert hasCharged(String policy, String subject, long units) {
    isNotNull();
    long charged = of(policy, subject).stream().mapToLong(RecordedCall::units).sum();
    if (charged != units) {
      failWithMessage(
          "Expected %s units of policy %s to be charged to %s, but they were %s; calls: %s",
          units, policy, subject, charged, actual.calls());
    }
    return this;
  }

  /** No limiter was asked about a subject, under any policy. */
  public RecordedCallsAssert wasNotAskedAbout(String subject) {
    isNotNull();
    List<RecordedCall> asked =
        actual.calls().stream().filter(each -> each.call().subject().equals(subject)).toList();
    if (!asked.isEmpty()) {
      failWithMessage("Expected no call about %s, but there were: %s", subject, asked);
    }
    return this;
  }

  private List<RecordedCall> of(String policy, String subject) {
    return actual.calls().stream()
        .filter(each -> each.call().policy().equals(policy))
        .filter(each -> each.call().subject().equals(subject))
        .toList();
  }
}
