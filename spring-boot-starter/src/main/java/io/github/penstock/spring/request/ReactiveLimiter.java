package io.github.penstock.spring.request;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.micrometer.DenialEvents;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** Asks limits without a thread that waits, or on threads that may block if the client must. */
public final class ReactiveLimiter {
  private ReactiveLimiter() {}

  /**
   * Asks for units when it is subscribed to; the answer comes on a thread of {@link
   * Schedulers#parallel()}, never on the client's. A denial is an event of the observation in
   * Reactor's context, which the client's threads do not have.
   */
  public static Mono<PolicyAnswer> ask(PlanLimit limit, String subject, long cost) {
    return Mono.deferContextual(
        context ->
            decision(limit, subject, cost)
                .map(decision -> new PolicyAnswer(decision, limit))
                .publishOn(Schedulers.parallel())
                .doOnNext(answer -> observe(answer, context)));
  }

  private static void observe(PolicyAnswer answer, ContextView context) {
    Object current = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
    if (!answer.allowed() && current instanceof Observation observation) {
      observation.event(DenialEvents.event(answer.plan().policy()));
    }
  }

  private static Mono<Decision> decision(PlanLimit limit, String subject, long cost) {
    AsyncRateLimiter asynchronous = limit.asynchronous();
    return asynchronous == null
        ? Mono.fromCallable(() -> limit.limiter().tryAcquire(subject, cost))
            .subscribeOn(Schedulers.boundedElastic())
        : Mono.fromCompletionStage(() -> asynchronous.tryAcquire(subject, cost));
  }
}
