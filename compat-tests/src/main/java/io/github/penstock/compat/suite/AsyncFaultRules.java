package io.github.penstock.compat.suite;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiters;
import java.util.function.Function;

/** {@link FaultRules} for calls that answer with stages. */
abstract class AsyncFaultRules extends FaultRules {
  @Override
  final Function<String, Decision> calls(RateLimiters limiters, String policy) {
    AsyncRateLimiter limiter =
        AdapterTrial.async(suite(), limiters).asyncLimiter(policy, ChargeCount.LIMIT);
    return subject -> AsyncResults.value(limiter.tryAcquire(subject));
  }

  @Override
  final boolean asynchronous() {
    return true;
  }
}
