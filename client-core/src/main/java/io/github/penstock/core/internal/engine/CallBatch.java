package io.github.penstock.core.internal.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.CallPlanner;
import io.github.penstock.core.internal.plan.LeasedCall;
import io.github.penstock.core.internal.plan.LimitPolicy;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a batch and the places of their outcomes; a subject without a valid key fails alone.
 * For one thread at a time.
 */
final class CallBatch implements CallDriver<Decision, CallBatch> {
  private final List<SubjectCost> each;
  private final @Nullable Outcome[] outcomes;
  private final List<ScriptCall> calls;
  private final List<ReplyReader<Decision>> readers;
  private final int[] places;
  private int planned;

  private CallBatch(List<SubjectCost> each) {
    this.each = each;
    int size = each.size();
    outcomes = new Outcome[size];
    calls = new ArrayList<>(size);
    readers = new ArrayList<>(size);
    places = new int[size];
  }

  /** Plans a call of one unit for each subject. */
  static CallBatch ofSubjects(CallPlanner planner, Collection<String> subjects) {
    planner.policy().checkBatch("subjects", subjects);
    return plan(planner, subjects.stream().map(subject -> new SubjectCost(subject, 1)).toList());
  }

  /** Plans calls, each with its cost. */
  static CallBatch of(CallPlanner planner, List<SubjectCost> calls) {
    planner.policy().checkBatch("calls", calls);
    return plan(planner, List.copyOf(calls));
  }

  private static CallBatch plan(CallPlanner planner, List<SubjectCost> each) {
    LimitPolicy policy = planner.policy();
    long deadline = policy.deadline();
    CallBatch batch = new CallBatch(each);
    for (SubjectCost one : each) {
      ScriptCall call;
      try {
        call = policy.charge(one.subject(), one.cost(), deadline);
      } catch (IllegalArgumentException e) {
        batch.failed(e);
        continue;
      }
      planner.tryAcquire(call, one.subject(), one.cost(), batch, batch::goAlone);
    }
    return batch;
  }

  /* A batch waits for no lease. */
  private @Nullable CallBatch goAlone(LeasedCall leased) {
    leased.waitNoMore();
    return null;
  }

  @Override
  public CallBatch decided(Decision result) {
    outcomes[planned] = new Outcome.Decided(each.get(planned).subject(), result);
    planned++;
    return this;
  }

  @Override
  public CallBatch failed(RuntimeException failure) {
    outcomes[planned] = new Outcome.Failed(each.get(planned).subject(), failure);
    planned++;
    return this;
  }

  @Override
  public CallBatch send(ScriptCall call, ReplyReader<Decision> reader) {
    places[calls.size()] = planned++;
    calls.add(call);
    readers.add(reader);
    return this;
  }

  /** The calls that must be sent. */
  List<ScriptCall> calls() {
    return calls;
  }

  /** Converts the outcome of the call at {@code index}. */
  ReplyReader<Decision> reader(int index) {
    return readers.get(index);
  }

  /** All calls have ended, or will never be sent. */
  void end() {
    for (int i = 0; i < calls.size(); i++) {
      readers.get(i).abandoned(calls.get(i));
    }
  }

  /** Keeps the outcome of the call at {@code index}. */
  void settle(int index, Supplier<Decision> decision) {
    int place = places[index];
    String subject = each.get(place).subject();
    try {
      outcomes[place] = new Outcome.Decided(subject, decision.get());
    } catch (RuntimeException e) {
      outcomes[place] = new Outcome.Failed(subject, e);
    }
  }

  /** The outcomes, in the order of the subjects; all calls must be settled. */
  List<Outcome> outcomes() {
    return List.of(outcomes);
  }
}
