package io.github.penstock.core.internal.failure;

import io.github.penstock.core.internal.notice.UncaughtFailures;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The earlier answers of a transport's nodes, on which the meaning of a later failure depends. Safe
 * for use by several threads.
 *
 * <p>A node that answers READONLY gets a new connection, at most once a second; one that has
 * written nothing within 10 s is a replica whose address was given. Of a node that refuses every
 * login, a client may reconnect repeatedly and only time out its calls: until it decides, that is
 * not an outage.
 */
public final class NodeWatch {
  private static final Object UNKNOWN_NODE = new Object();
  private static final Set<String> REFUSALS = Set.of("WRONGPASS", "NOAUTH");
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long HEALING_NANOS = TimeUnit.SECONDS.toNanos(10);

  /* After this time without a call, a node that was never a primary meanwhile starts afresh. */
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Function<ScriptCall, Object> nodes;
  private final Consumer<ScriptCall> renew;
  private final LongSupplier nanos;
  private final ConcurrentMap<Object, ReadOnlyNode> readOnly = new ConcurrentHashMap<>();
  private final ConcurrentMap<Object, ServerError> refusing = new ConcurrentHashMap<>();

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

  NodeWatch(Function<ScriptCall, Object> nodes, Consumer<ScriptCall> renew, LongSupplier nanos) {
    this.nodes = nodes;
    this.renew = renew;
    this.nanos = nanos;
  }

  /** Watches the nodes of this transport; those that it does not know are one. */
  public static NodeWatch of(ScriptTransport transport, TimeSource time) {
    return new NodeWatch(
        call -> Objects.requireNonNullElse(transport.node(call), UNKNOWN_NODE),
        transport::renew,
        time::nanos);
  }

  /** A call was decided; if it was allowed, its node has written. */
  public void decided(ScriptCall call, boolean allowed) {
    if (!refusing.isEmpty()) {
      refusing.remove(nodes.apply(call));
    }
    if (allowed && !readOnly.isEmpty()) {
      readOnly.remove(nodes.apply(call));
    }
  }

  /** A call failed for this error. */
  void failed(ScriptCall call, @Nullable ServerError error) {
    if (error != null && REFUSALS.contains(error.rule())) {
      refusing.put(nodes.apply(call), error);
    }
  }

  /** The reason that the node of a call refuses logins; null if none is known. */
  @Nullable ServerError refusal(ScriptCall call) {
    return refusing.isEmpty() ? null : refusing.get(nodes.apply(call));
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
