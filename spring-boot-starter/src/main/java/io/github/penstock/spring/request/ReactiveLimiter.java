package io.github.penstock.spring.request;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Asks limits without a thread that waits, or on threads that may block if the client must. */
public final class ReactiveLimiter {
  private ReactiveLimiter() {}

  /**
   * Asks for units when it is subscribed to; the answer comes on a thread of {@link
   * Schedulers#parallel()}, never on the client's.
   */
  public static Mono<PolicyAnswer> ask(PlanLimit limit, String subject, long cost) {
    return decision(limit, subject, cost)
        .map(decision -> new PolicyAnswer(decision, limit))
        .publishOn(Schedulers.parallel());
  }

  private static Mono<Decision> decision(PlanLimit limit, String subject, long cost) {
    AsyncRateLimiter asynchronous = limit.asynchronous();
    return asynchronous == null
        ? Mono.fromCallable(() -> limit.limiter().tryAcquire(subject, cost))
            .subscribeOn(Schedulers.boundedElastic())
        : Mono.fromCompletionStage(() -> asynchronous.tryAcquire(subject, cost));
  }
}
