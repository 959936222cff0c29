package io.github.penstock.core.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.failure.CallFailure;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a batch and where their outcomes belong; a subject that makes no key fails by
 * itself. For one thread at a time.
 */
final class CallBatch {
  private final List<SubjectCost> each;
  private final @Nullable Outcome[] outcomes;
  private final List<ScriptCall> calls;
  private final List<ReplyReader<Decision>> readings;
  private final int[] places;
  private final LimitPolicy policy;
  private final CircuitBreaker breaker;

  CallBatch(LimitPolicy policy, CircuitBreaker breaker, List<SubjectCost> each) {
    this.breaker = breaker;
    this.policy = policy;
    policy.checkOpen();
    each.forEach(one -> Objects.requireNonNull(one, "one of calls"));
    this.each = List.copyOf(each);
    int size = this.each.size();
    outcomes = new Outcome[size];
    calls = new ArrayList<>(size);
    readings = new ArrayList<>(size);
    places = new int[size];
    long deadline = policy.deadline();
    for (int i = 0; i < size; i++) {
      SubjectCost one = this.each.get(i);
      try {
        add(i, one, policy.charge(one.subject(), one.cost(), deadline));
      } catch (IllegalArgumentException e) {
        outcomes[i] = new Outcome.Failed(one.subject(), e);
      }
    }
  }

  private void add(int place, SubjectCost one, ScriptCall call) {
    LeasedCall leased = policy.leased(call, one.subject(), one.cost());
    Decision here =
        leased == null ? policy.known(call, one.subject(), one.cost()) : leased.decide();
    if (here != null) {
      outcomes[place] = new Outcome.Decided(one.subject(), here);
      return;
    }
    ScriptCall sent = leased == null ? call : leased.toSend();
    ReplyReader<Decision> asking =
        leased == null ? policy.decisions(one.subject(), one.cost()) : leased;
    ReplyReader<Decision> reading = breaker.admit(sent, asking);
    if (reading == null) {
      settle(place, one, () -> asking.failed(sent, CallFailure.leftAlone(sent)));
      return;
    }
    places[calls.size()] = place;
    calls.add(sent);
    readings.add(reading);
  }

  static List<SubjectCost> ofOneUnit(Collection<String> subjects) {
    return subjects.stream().map(subject -> new SubjectCost(subject, 1)).toList();
  }

  /** The calls that must be sent. */
  List<ScriptCall> calls() {
    return calls;
  }

  /** How the decision about the call at {@code index} is read. */
  ReplyReader<Decision> reading(int index) {
    return readings.get(index);
  }

  /** All calls have ended, or will never be sent. */
  void end() {
    for (int i = 0; i < calls.size(); i++) {
      readings.get(i).abandoned(calls.get(i));
    }
  }

  /** Keeps the outcome of the call at {@code index}. */
  void settle(int index, Supplier<Decision> decision) {
    int place = places[index];
    settle(place, each.get(place), decision);
  }

  private void settle(int place, SubjectCost one, Supplier<Decision> decision) {
    try {
      outcomes[place] = new Outcome.Decided(one.subject(), decision.get());
    } catch (RuntimeException e) {
      outcomes[place] = new Outcome.Failed(one.subject(), e);
    }
  }

  /** The outcomes, in the order of the subjects; all calls must be settled. */
  List<Outcome> outcomes() {
    return List.copyOf(Arrays.asList(outcomes));
  }
}
