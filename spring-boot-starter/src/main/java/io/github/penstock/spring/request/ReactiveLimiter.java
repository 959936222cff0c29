package io.github.penstock.spring.request;

import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A limiter whose answer is a {@link Mono}, on any thread. */
@FunctionalInterface
public interface ReactiveLimiter {
  /** Asks for units when it is subscribed to. */
  Mono<Decision> tryAcquire(String subject, long cost);

  /** The limiter of a policy: asynchronous, or on threads that may block if the client must. */
  static ReactiveLimiter of(RateLimiters limiters, String policy, Limit limit) {
    if (limiters instanceof AsyncRateLimiters asynchronous) {
      var limiter = asynchronous.asyncLimiter(policy, limit);
      return (subject, cost) -> Mono.fromCompletionStage(() -> limiter.tryAcquire(subject, cost));
    }
    var limiter = limiters.limiter(policy, limit);
    return (subject, cost) ->
        Mono.fromCallable(() -> limiter.tryAcquire(subject, cost))
            .subscribeOn(Schedulers.boundedElastic());
  }
}
