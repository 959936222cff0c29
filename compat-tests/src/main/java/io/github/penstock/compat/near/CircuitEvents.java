package io.github.penstock.compat.near;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Hears of circuits. Safe for use by several threads. */
final class CircuitEvents implements RateLimitListener {
  private final Set<String> nodes = ConcurrentHashMap.newKeySet();
  private final Map<String, LongAdder> decided = new ConcurrentHashMap<>();
  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @Override
  public void onDecision(
      LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    if (acquired.decision().enforced()) {
      decided.computeIfAbsent(call.subject(), none -> new LongAdder()).increment();
    } else if (cause != null && !String.valueOf(cause.getMessage()).contains("circuit is open")) {
      lost.incrementAndGet();
    }
  }

  @Override
  public void onCircuitOpened(String node) {
    nodes.add(node);
    opened.incrementAndGet();
  }

  @Override
  public void onCircuitClosed(String node) {
    closed.incrementAndGet();
  }

  /** Calls of these subjects that the server has decided. */
  long decided(List<String> subjects) {
    LongAdder none = new LongAdder();
    return subjects.stream().mapToLong(one -> decided.getOrDefault(one, none).sum()).sum();
  }

  /** The nodes whose circuit was opened. */
  Set<String> nodes() {
    return nodes;
  }

  /** Calls that asked and got no answer; others were decided at once. */
  int lost() {
    return lost.get();
  }

  int opened() {
    return opened.get();
  }

  int closed() {
    return closed.get();
  }
}
