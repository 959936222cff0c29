package io.github.penstock.core.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.failure.CallFailure;
import io.github.penstock.core.plan.CallDriver;
import io.github.penstock.core.plan.CallPlanner;
import io.github.penstock.core.plan.LeasedCall;
import io.github.penstock.core.plan.LimitPolicy;
import io.github.penstock.core.plan.ReplyReader;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a batch and the places of their outcomes; a subject without a valid key fails alone.
 * For one thread at a time, except its readers.
 */
final class CallBatch implements CallDriver<Decision, CallBatch> {
  /* Of fewer calls, one that is late beside answered ones was lost, or its node is away. */
  private static final int MANY = 1_000;

  /* Clients' time-outs are whole milliseconds. */
  private static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<SubjectCost> each;
  private final @Nullable Function<ScriptCall, @Nullable Object> nodes;
  private final Set<Optional<Object>> answering = ConcurrentHashMap.newKeySet();
  private final @Nullable Outcome[] outcomes;
  private final List<ScriptCall> calls;
  private final List<ReplyReader<Decision>> readers;
  private final int[] places;
  private int planned;

  private CallBatch(
      List<SubjectCost> each, @Nullable Function<ScriptCall, @Nullable Object> nodes) {
    this.each = each;
    this.nodes = each.size() < MANY ? null : nodes;
    int size = each.size();
    outcomes = new Outcome[size];
    calls = new ArrayList<>(size);
    readers = new ArrayList<>(size);
    places = new int[size];
  }

  /**
   * Plans a call of one unit for each subject.
   *
   * @param nodes which node a call is for; null if late calls are judged by a check of their nodes
   */
  static CallBatch ofSubjects(
      CallPlanner planner,
      Collection<String> subjects,
      @Nullable Function<ScriptCall, @Nullable Object> nodes) {
    planner.policy().checkBatch("subjects", subjects);
    return plan(
        planner, subjects.stream().map(subject -> new SubjectCost(subject, 1)).toList(), nodes);
  }

  /**
   * Plans calls, each with its cost.
   *
   * @param nodes as for {@link #ofSubjects}
   */
  static CallBatch of(
      CallPlanner planner,
      List<SubjectCost> calls,
      @Nullable Function<ScriptCall, @Nullable Object> nodes) {
    planner.policy().checkBatch("calls", calls);
    return plan(planner, List.copyOf(calls), nodes);
  }

  private static CallBatch plan(
      CallPlanner planner,
      List<SubjectCost> each,
      @Nullable Function<ScriptCall, @Nullable Object> nodes) {
    LimitPolicy policy = planner.policy();
    long deadline = policy.deadline();
    CallBatch batch = new CallBatch(each, nodes);
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
    readers.add(nodes == null ? reader : new NotingReader(reader, nodes));
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

  /** Notes the nodes that answer: a late call to one of them is an overload, not an outage. */
  private final class NotingReader implements ReplyReader<Decision> {
    private final ReplyReader<Decision> reader;
    private final Function<ScriptCall, @Nullable Object> nodes;

    NotingReader(ReplyReader<Decision> reader, Function<ScriptCall, @Nullable Object> nodes) {
      this.reader = reader;
      this.nodes = nodes;
    }

    @Override
    public boolean isForUnits() {
      return reader.isForUnits();
    }

    @Override
    public Decision answered(ScriptCall call, @Nullable Object reply) {
      answering.add(node(call));
      return reader.answered(call, reply);
    }

    @Override
    public Decision failed(ScriptCall call, CallFailure failure) {
      boolean late = failure.silent() && call.remainingNanos() <= END_NANOS;
      return reader.failed(
          call,
          late && answering.contains(node(call))
              ? failure.overloaded(new BusyNodeException(calls.size()))
              : failure);
    }

    @Override
    public void abandoned(ScriptCall call) {
      reader.abandoned(call);
    }

    private Optional<Object> node(ScriptCall call) {
      return Optional.ofNullable(nodes.apply(call));
    }
  }
}
