package io.github.penstock.test;

import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall;
import org.jspecify.annotations.Nullable;

/**
 * A call to a test's limiters, and its result. Immutable.
 *
 * @param call policy, subject and units
 * @param units the units that were taken; 0 for a denial, a failure, a peek and a refund
 * @param decision the decision about a call for units; null for peeks, refunds and failures
 * @param failure the exception of the call, or the reason that it was decided without the server;
 *     null if neither
 */
public record RecordedCall(
    LimiterCall call,
    long units,
    @Nullable Decision decision,
    @Nullable RuntimeException failure) {}
