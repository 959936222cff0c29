package io.github.penstock.core.internal.failure;

import io.github.penstock.core.internal.notice.UncaughtFailures;
import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The nodes that answer READONLY: each gets a new connection, at most once a second, and one that
 * has written nothing within 10 s is a replica whose address was given. Safe for use by several
 * threads.
 */
public final class ReplicaWatch {
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long HEALING_NANOS = TimeUnit.SECONDS.toNanos(10);

  /* After this time without a call, a node that was never a primary meanwhile starts afresh. */
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Function<ScriptCall, Object> nodes;
  private final Consumer<ScriptCall> renew;
  private final LongSupplier nanos;
  private final ConcurrentMap<Object, ReadOnlyNode> readOnly = new ConcurrentHashMap<>();

  /** A node that has written nothing since it answered READONLY. */
  private static final class ReadOnlyNode {
    private final long firstNanos;
    private volatile long lastNanos;
    private final AtomicLong renewedNanos;

    ReadOnlyNode(long now) {
      firstNanos = now;
      lastNanos = now;
      renewedNanos = new AtomicLong(now - RENEWAL_NANOS);
    }
  }

  /**
   * Watches the nodes of a transport.
   *
   * @param nodes the node of a call
   * @param renew renews the connection of a call's node
   */
  public ReplicaWatch(
      Function<ScriptCall, Object> nodes, Consumer<ScriptCall> renew, LongSupplier nanos) {
    this.nodes = nodes;
    this.renew = renew;
    this.nanos = nanos;
  }

  /** A call was allowed, so its node has written. */
  public void written(ScriptCall call) {
    if (!readOnly.isEmpty()) {
      readOnly.remove(nodes.apply(call));
    }
  }

  /** A call was answered READONLY; returns whether its node has been a replica for too long. */
  boolean isReplica(ScriptCall call) {
    long now = nanos.getAsLong();
    ReadOnlyNode node =
        readOnly.compute(
            nodes.apply(call),
            (same, known) ->
                known == null || now - known.lastNanos > FORGOTTEN_NANOS
                    ? new ReadOnlyNode(now)
                    : known);
    node.lastNanos = now;
    long renewed = node.renewedNanos.get();
    if (now - renewed >= RENEWAL_NANOS && node.renewedNanos.compareAndSet(renewed, now)) {
      renew(call);
    }
    return now - node.firstNanos >= HEALING_NANOS;
  }

  /**
   * A call failed in another way, such as while its connection is renewed; returns whether its node
   * had been a replica for too long, until just before.
   */
  boolean wasReplica(ScriptCall call) {
    ReadOnlyNode node = readOnly.isEmpty() ? null : readOnly.get(nodes.apply(call));
    return node != null
        && node.lastNanos - node.firstNanos >= HEALING_NANOS
        && nanos.getAsLong() - node.lastNanos < HEALING_NANOS;
  }

  /* Its exceptions are not the call's failure. */
  private void renew(ScriptCall call) {
    try {
      renew.accept(call);
    } catch (RuntimeException e) {
      UncaughtFailures.tell(e);
    }
  }
}
