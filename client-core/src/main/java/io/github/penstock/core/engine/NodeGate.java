package io.github.penstock.core.engine;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.failure.CallFailure;
import io.github.penstock.core.near.NodePauses;
import io.github.penstock.core.near.TimeSource;
import io.github.penstock.core.notice.LimiterNews;
import io.github.penstock.core.spi.ScriptCall;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls through to their nodes, or keeps them from one that does not answer (rule F1). Costs
 * nothing where there are no pauses. Safe for use by several threads.
 */
final class NodeGate {
  /** Lets everything through. */
  static final NodeGate OPEN = new NodeGate(null, call -> null, null);

  private final @Nullable NodePauses pauses;
  private final Function<ScriptCall, @Nullable Object> nodes;
  private final @Nullable LimiterNews news;
  private final Set<Object> toldPaused = new HashSet<>();
  private final Queue<Object> changed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger untold = new AtomicInteger();

  private NodeGate(
      @Nullable NodePauses pauses,
      Function<ScriptCall, @Nullable Object> nodes,
      @Nullable LimiterNews news) {
    this.pauses = pauses;
    this.nodes = nodes;
    this.news = news;
  }

  /** A gate before the nodes of a port. */
  static NodeGate of(
      RateLimiterOptions options, Function<ScriptCall, @Nullable Object> nodes, LimiterNews news) {
    return options.pauseWhenUnavailable().isZero()
        ? OPEN
        : new NodeGate(
            new NodePauses(options.pauseWhenUnavailable(), TimeSource.SYSTEM), nodes, news);
  }

  /** Returns how many nodes are kept from calls at the moment. */
  int pausedNodes() {
    return pauses == null ? 0 : pauses.paused();
  }

  /** How an admitted call is read; null if it is not to be sent. */
  <T> @Nullable ReplyReader<T> admit(ScriptCall call, ReplyReader<T> reading) {
    Object node = pauses == null || call.verb().readOnly() ? null : nodes.apply(call);
    if (pauses == null || node == null) {
      return reading;
    }
    boolean shut = reading.isForUnits() && !pauses.mayAsk(node);
    return shut ? null : new WatchedReader<>(pauses, node, reading);
  }

  /*
   * A pause has begun or ended. One thread at a time reports the current state, also for threads
   * that come meanwhile and do not wait: so no end is reported before its beginning, and nothing
   * twice.
   */
  private void tell(NodePauses pauses, Object node) {
    if (news == null) {
      return;
    }
    changed.add(node);
    if (untold.getAndIncrement() > 0) {
      return;
    }
    do {
      Object next = changed.remove();
      if (!pauses.isPaused(next)) {
        if (toldPaused.remove(next)) {
          news.pauseEnded(next);
        }
      } else if (toldPaused.add(next)) {
        news.leftAlone(next);
      }
    } while (untold.decrementAndGet() > 0);
  }

  /** Notes what became of a call, and leaves the reading to another one. */
  private final class WatchedReader<T> implements ReplyReader<T> {
    private final NodePauses pauses;
    private final Object node;
    private final ReplyReader<T> reading;

    WatchedReader(NodePauses pauses, Object node, ReplyReader<T> reading) {
      this.pauses = pauses;
      this.node = node;
      this.reading = reading;
    }

    @Override
    public T answered(ScriptCall call, @Nullable Object reply) {
      noteAnswer(call);
      return reading.answered(call, reply);
    }

    /* Reads first, so that listeners get the cause before the news of the pause. */
    @Override
    public T failed(ScriptCall call, CallFailure failure) {
      try {
        return reading.failed(call, failure);
      } finally {
        if (!failure.silent()) {
          noteAnswer(call);
        } else if (pauses.unanswered(node)) {
          tell(pauses, node);
        }
      }
    }

    @Override
    public void abandoned(ScriptCall call) {
      reading.abandoned(call);
    }

    /* The answer may come from a node that has taken over: nobody will ask the paused one again. */
    private void noteAnswer(ScriptCall call) {
      boolean over =
          pauses.answered(node)
              || pauses.isPaused(node) && !node.equals(nodes.apply(call)) && pauses.replaced(node);
      Object ended = over ? node : pauses.forgotten();
      if (ended != null) {
        tell(pauses, ended);
      }
    }
  }
}
