package io.github.penstock.core.engine;

import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.plan.CallPlanner;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a batch, each of which is sent after the one before has ended, with one deadline for
 * all: a batch that is too large for its deadline then shows that its nodes answer. For one thread
 * at a time.
 */
final class BatchParts {
  /** Calls of a part, at most. */
  static final int MOST = 1_000;

  private final CallPlanner planner;
  private final List<SubjectCost> each;
  private final AnsweringNodes nodes;
  private final long deadline;
  private final List<Outcome> outcomes;
  private int planned;

  /**
   * The parts of a batch; throws if its limiters are closed.
   *
   * @param nodes which node a call is for
   */
  BatchParts(
      CallPlanner planner, List<SubjectCost> each, Function<ScriptCall, @Nullable Object> nodes) {
    planner.policy().checkOpen();
    each.forEach(one -> Objects.requireNonNull(one, "one of calls"));
    this.planner = planner;
    this.each = List.copyOf(each);
    this.nodes = new AnsweringNodes(nodes, each.size());
    deadline = planner.policy().deadline();
    outcomes = new ArrayList<>(each.size());
  }

  boolean hasNext() {
    return planned < each.size();
  }

  /** Plans the next part. */
  CallBatch next() {
    int end = Math.min(each.size(), planned + MOST);
    CallBatch part = CallBatch.plan(planner, each.subList(planned, end), nodes, deadline);
    planned = end;
    return part;
  }

  /** All calls of a part are settled. */
  void ended(CallBatch part) {
    nodes.endPart();
    outcomes.addAll(part.outcomes());
  }

  /** The outcomes of all parts, in the order of the subjects. */
  List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }
}
