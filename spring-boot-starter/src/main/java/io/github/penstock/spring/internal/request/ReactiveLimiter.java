package io.github.penstock.spring.internal.request;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.micrometer.DenialEvents;
import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.internal.request.PolicyCall.AskedUnits;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** Decides limits without a waiting thread, or on threads that may block if the client blocks. */
public final class ReactiveLimiter {
  private ReactiveLimiter() {}

  /**
   * Decides on subscription, like {@link PolicyCall#ask()}; the verdict arrives on a thread of
   * {@link Schedulers#parallel()}, never on the client's. A denial is an event of the observation
   * in Reactor's context, which the client's threads do not have.
   */
  public static Mono<CallVerdict> ask(PolicyCall call) {
    return ask(call, PolicyMode.ENFORCED)
        .flatMap(
            enforced ->
                enforced.denial() == null
                    ? ask(call, PolicyMode.DRY_RUN).map(enforced::beside)
                    : Mono.just(enforced));
  }

  private static Mono<CallVerdict> ask(PolicyCall call, PolicyMode mode) {
    List<AskedUnits> units = call.units(mode);
    if (units.isEmpty()) {
      return Mono.just(CallVerdict.NONE);
    }
    PlanLimit limit = units.get(0).limit();
    JointReservations joint = call.policy().joint();
    return Mono.deferContextual(
            context ->
                (joint == null
                        ? decision(limit, call.group(), units.get(0).cost())
                            .map(decision -> CallVerdict.of(new PolicyAnswer(decision, limit)))
                        : reserved(joint, call.group(), units, mode == PolicyMode.ENFORCED))
                    .publishOn(Schedulers.parallel())
                    .doOnNext(verdict -> observe(verdict, context)))
        .onErrorResume(
            Exception.class, failure -> Mono.just(CallVerdict.undecided(limit, failure)));
  }

  private static void observe(CallVerdict verdict, ContextView context) {
    PolicyAnswer denial = verdict.denial();
    Object current = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
    if (denial != null && current instanceof Observation observation) {
      observation.event(DenialEvents.event(denial.plan().policy()));
    }
  }

  private static Mono<Decision> decision(PlanLimit limit, String subject, long cost) {
    AsyncRateLimiter asynchronous = limit.asynchronous();
    return asynchronous == null
        ? Mono.fromCallable(() -> limit.limiter().tryAcquire(subject, cost))
            .subscribeOn(Schedulers.boundedElastic())
        : Mono.fromCompletionStage(() -> asynchronous.tryAcquire(subject, cost));
  }

  private static Mono<CallVerdict> reserved(
      JointReservations joint, String group, List<AskedUnits> units, boolean waits) {
    AsyncReservations asynchronous = joint.asynchronous();
    if (asynchronous == null) {
      return Mono.fromCallable(() -> joint.reserve(group, units, waits))
          .subscribeOn(Schedulers.boundedElastic());
    }
    return reserved(joint, asynchronous, group, units, waits, System.nanoTime());
  }

  private static Mono<CallVerdict> reserved(
      JointReservations joint,
      AsyncReservations asynchronous,
      String group,
      List<AskedUnits> units,
      boolean waits,
      long begunNanos) {
    EntryCost[] entries = joint.entries(units);
    return Mono.fromCompletionStage(() -> asynchronous.reserve(group, entries))
        .flatMap(
            call -> {
              long pauseNanos =
                  waits ? joint.pauseNanos(call, begunNanos) : JointReservations.NO_PAUSE;
              return pauseNanos == JointReservations.NO_PAUSE
                  ? Mono.just(joint.verdict(call, units))
                  : Mono.delay(Duration.ofNanos(pauseNanos))
                      .then(
                          Mono.defer(
                              () ->
                                  reserved(joint, asynchronous, group, units, waits, begunNanos)));
            });
  }
}
