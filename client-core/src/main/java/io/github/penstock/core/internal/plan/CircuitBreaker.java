package io.github.penstock.core.internal.plan;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.near.NodeCircuits;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls through to their nodes, or keeps them from one that does not answer (rule F1). Costs
 * nothing without circuits. Safe for use by several threads.
 */
public final class CircuitBreaker {
  private final @Nullable NodeCircuits circuits;
  private final Function<ScriptCall, @Nullable Object> nodes;
  private final LimiterEvents events;
  private final Set<Object> published = new HashSet<>();
  private final Queue<Object> changed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unpublished = new AtomicInteger();

  /** The circuit breaker before the nodes of a transport. */
  public CircuitBreaker(
      RateLimiterOptions options,
      Function<ScriptCall, @Nullable Object> nodes,
      LimiterEvents events,
      TimeSource time) {
    Duration pause = options.circuitBreaker();
    circuits = pause.isZero() ? null : new NodeCircuits(pause, time);
    this.nodes = nodes;
    this.events = events;
  }

  /** Returns how many nodes get no calls at the moment. */
  public int openCircuits() {
    return circuits == null ? 0 : circuits.open();
  }

  /**
   * Sends a call by its driver, or ends it here if it is for units and the circuit of its node is
   * open.
   */
  public <T, R> R pass(ScriptCall call, ReplyReader<T> reader, CallDriver<T, R> driver) {
    Object node = circuits == null || call.verb().readOnly() ? null : nodes.apply(call);
    if (circuits == null || node == null) {
      return driver.send(call, reader);
    }
    return reader.isForUnits() && !circuits.maySend(node)
        ? keep(call, reader, driver)
        : driver.send(call, new WatchedReader<>(circuits, node, reader));
  }

  private static <T, R> R keep(ScriptCall call, ReplyReader<T> reader, CallDriver<T, R> driver) {
    T chosen;
    try {
      chosen = reader.failed(call, CallFailure.leftAlone(call));
    } catch (RuntimeException e) {
      return driver.failed(e);
    }
    return driver.decided(chosen);
  }

  /*
   * A circuit was opened or closed. One thread at a time reports the current state, also for threads
   * that come meanwhile and do not wait: so no circuit is closed before it was opened, and nothing
   * twice.
   */
  private void publish(NodeCircuits circuits, Object node) {
    changed.add(node);
    if (unpublished.getAndIncrement() > 0) {
      return;
    }
    do {
      Object next = changed.remove();
      if (!circuits.isOpen(next)) {
        if (published.remove(next)) {
          events.circuitClosed(next);
        }
      } else if (published.add(next)) {
        events.circuitOpened(next);
      }
    } while (unpublished.decrementAndGet() > 0);
  }

  /** Notes the outcome of a call, and leaves the reading to another one. */
  private final class WatchedReader<T> implements ReplyReader<T> {
    private final NodeCircuits circuits;
    private final Object node;
    private final ReplyReader<T> reading;

    WatchedReader(NodeCircuits circuits, Object node, ReplyReader<T> reading) {
      this.circuits = circuits;
      this.node = node;
      this.reading = reading;
    }

    @Override
    public T answered(ScriptCall call, @Nullable Object reply) {
      noteAnswer(call);
      return reading.answered(call, reply);
    }

    /* Reads first, so that listeners get the cause before the event. */
    @Override
    public T failed(ScriptCall call, CallFailure failure) {
      try {
        return reading.failed(call, failure);
      } finally {
        if (!failure.silent()) {
          noteAnswer(call);
        } else if (!failure.follows() && circuits.unanswered(node)) {
          publish(circuits, node);
        }
      }
    }

    @Override
    public void abandoned(ScriptCall call) {
      reading.abandoned(call);
    }

    /* The answer may come from a node that has taken over: no call goes to the other one again. */
    private void noteAnswer(ScriptCall call) {
      boolean over =
          circuits.answered(node)
              || circuits.isOpen(node)
                  && !node.equals(nodes.apply(call))
                  && circuits.replaced(node);
      Object ended = over ? node : circuits.forgotten();
      if (ended != null) {
        publish(circuits, ended);
      }
    }
  }
}
