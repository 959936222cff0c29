package io.github.penstock.core.internal.trips;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A transport around another one, through which calls of one subject share trips; it has all else
 * from that one. It knows the groups of calls by what would be sent, and the last calls that were
 * sent alone. A call that is alone costs one place in a table: another call may take the place, and
 * then it does not begin a group. Safe for use by several threads.
 *
 * @param <G> a group
 */
public abstract class SharedTransport<G extends SharedGroup<?>> implements ScriptTransport {
  private static final int PLACES = 1 << 12;

  final ScriptTransport transport;
  final TimeSource time;
  final Map<ScriptCall, G> groups = new ConcurrentHashMap<>();

  /** The time of the last trip of a group that is over; 0 if there was none. */
  volatile long tookNanos;

  private final AtomicReferenceArray<@Nullable LoneCall> alone = new AtomicReferenceArray<>(PLACES);
  private final LongAdder sharedTrips = new LongAdder();
  private final LongAdder sharedCalls = new LongAdder();

  SharedTransport(ScriptTransport transport, TimeSource time) {
    this.transport = transport;
    this.time = time;
  }

  /** A call that was sent alone. */
  interface LoneCall {
    /** Returns whether it is a call like this one, and is under way. */
    boolean isLike(ScriptCall call);
  }

  /**
   * Returns whether a call may share a trip. Each call of a leaky bucket has a turn of its own. A
   * cluster's transport must write both commands at once, because trips of two round trips would
   * halve the throughput.
   */
  final boolean mayShare(ScriptCall call) {
    return call.charge() > 0
        && !LuaScript.LEAKY_BUCKET.scriptName().equals(call.scriptName())
        && (!transport.followsRedirects() || transport.ordersCalls());
  }

  /** The place of a call, whose bytes are hashed for it. */
  static int place(ScriptCall call) {
    int hash = call.hashCode();
    return (hash ^ hash >>> 16) & PLACES - 1;
  }

  /** Returns the group for a call, which the second one makes; null for the first. */
  final @Nullable G group(ScriptCall call, int place) {
    G known = groups.isEmpty() ? null : groups.get(call);
    if (known != null) {
      return known;
    }
    LoneCall lone = alone.getAcquire(place);
    if (lone == null || !lone.isLike(call)) {
      return null;
    }
    return groups.computeIfAbsent(call, like -> group(like, lone));
  }

  /** Makes the group of a call and one like it that was sent alone. */
  abstract G group(ScriptCall call, LoneCall lone);

  final void sentAlone(int place, LoneCall lone) {
    alone.setRelease(place, lone);
  }

  /** Counts the calls of a trip, if there are two or more. */
  final void sent(int calls) {
    if (calls > 1) {
      sharedTrips.increment();
      sharedCalls.add(calls);
    }
  }

  /** Trips of two or more calls. */
  public final long sharedTrips() {
    return sharedTrips.sum();
  }

  /** The calls of these trips. */
  public final long sharedCalls() {
    return sharedCalls.sum();
  }

  @Override
  public final List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return transport.sendAll(calls);
  }

  @Override
  public final CompletionStage<?> loadFunctions(String library) {
    return transport.loadFunctions(library);
  }

  @Override
  public final @Nullable TransportFailure failure(Throwable thrown) {
    return transport.failure(thrown);
  }

  @Override
  public final boolean followsRedirects() {
    return transport.followsRedirects();
  }

  @Override
  public final void renew(ScriptCall call) {
    transport.renew(call);
  }

  @Override
  public final boolean opens(ScriptCall call, boolean silent) {
    // A call that waits for others opens nothing.
    G group = mayShare(call) ? groups.get(call) : null;
    return (group == null || !group.waits()) && transport.opens(call, silent);
  }

  @Override
  public final @Nullable Object node(ScriptCall call) {
    return transport.node(call);
  }

  @Override
  public final boolean checksNodes() {
    return transport.checksNodes();
  }

  @Override
  public final CheckConnection openCheck(ScriptCall call) {
    return transport.openCheck(call);
  }

  @Override
  public final boolean ordersCalls() {
    return transport.ordersCalls();
  }
}
