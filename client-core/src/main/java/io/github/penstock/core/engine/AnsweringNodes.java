package io.github.penstock.core.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.failure.CallFailure;
import io.github.penstock.core.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that answered calls of a large batch: a late call to one of them is an overload, not an
 * outage. Safe for use by several threads.
 */
final class AnsweringNodes {
  /* Clients' time-outs are whole milliseconds. */
  private static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Function<ScriptCall, @Nullable Object> nodes;
  private final int calls;
  private final Set<Optional<Object>> answering = Collections.synchronizedSet(new HashSet<>());
  private boolean first = true;

  /**
   * No nodes yet.
   *
   * @param nodes which node a call is for
   * @param calls how many the batch has
   */
  AnsweringNodes(Function<ScriptCall, @Nullable Object> nodes, int calls) {
    this.nodes = nodes;
    this.calls = calls;
  }

  /** A part has ended. */
  void endPart() {
    first = false;
  }

  /** Returns whether a call of a later part has no time left. */
  boolean isTooLate(ScriptCall call) {
    return !first && call.remainingNanos() <= 0;
  }

  /** Returns whether the node of a call answered another one. */
  boolean answered(ScriptCall call) {
    return answering.contains(node(call));
  }

  /** The reader that also notes the answering node; for small batches it notes nothing. */
  ReplyReader<Decision> watching(ReplyReader<Decision> reader) {
    return calls <= BatchParts.MOST ? reader : new NotingReader(reader);
  }

  private Optional<Object> node(ScriptCall call) {
    return Optional.ofNullable(nodes.apply(call));
  }

  private final class NotingReader implements ReplyReader<Decision> {
    private final ReplyReader<Decision> reader;

    NotingReader(ReplyReader<Decision> reader) {
      this.reader = reader;
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
      // A call that lacks a connection has waited for as long as it could.
      boolean ended = call.remainingNanos() <= END_NANOS || failure.lacksConnection();
      boolean lacksTime = ended && failure.error() != null && failure.error().isNoScript();
      if (lacksTime || failure.kind() == FailureKind.OVERLOADED) {
        answering.add(node(call));
      }
      boolean late = ended && failure.silent() && AnsweringNodes.this.answered(call);
      return reader.failed(call, lacksTime || late ? failure.amongAnswered(calls) : failure);
    }

    @Override
    public void abandoned(ScriptCall call) {
      reader.abandoned(call);
    }
  }
}
