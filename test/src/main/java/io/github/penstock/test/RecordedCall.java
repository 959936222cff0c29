package io.github.penstock.test;

import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall;
import org.jspecify.annotations.Nullable;

/**
 * A call that a test's limiters got, and what its caller got. Immutable.
 *
 * @param call policy, subject and units
 * @param units the units that were taken; 0 for a denial, a failure, a peek and a refund
 * @param decision what a call for units was answered; null for peeks, refunds and failures
 * @param failure what the call threw, or why it was decided without the server; null if neither
 */
public record RecordedCall(
    LimiterCall call,
    long units,
    @Nullable Decision decision,
    @Nullable RuntimeException failure) {}
