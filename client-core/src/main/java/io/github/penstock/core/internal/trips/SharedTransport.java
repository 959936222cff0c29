package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A transport around another one, through which calls of one subject share trips; it has all else
 * from that one. It knows the groups of calls by what would be sent, and the last calls that were
 * sent alone. A call that is alone costs one place in a table: another call may take the place, and
 * then it does not begin a group. Safe for use by several threads.
 */
public final class SharedTransport implements ScriptTransport {
  private static final int PLACES = 1 << 12;

  final ScriptTransport transport;
  final TimeSource time;
  final Map<ScriptCall, SharedGroup> groups = new ConcurrentHashMap<>();

  /** Where a group's timer does what was decided. */
  final Executor timing;

  /** The time of the last trip of a group that is over; 0 if there was none. */
  volatile long tookNanos;

  private final boolean blocking;
  private final AtomicReferenceArray<@Nullable LoneCall> alone = new AtomicReferenceArray<>(PLACES);
  private final LongAdder sharedTrips = new LongAdder();
  private final LongAdder sharedCalls = new LongAdder();

  private SharedTransport(ScriptTransport transport, TimeSource time, boolean blocking) {
    this.transport = transport;
    this.time = time;
    this.blocking = blocking;
    // The timer only wakes threads if they send the trips.
    timing = blocking ? Runnable::run : ForkJoinPool.commonPool();
  }

  /** Around a blocking transport: the threads of the calls send the trips, and wait. */
  public static SharedTransport ofBlocking(ScriptTransport transport, TimeSource time) {
    return new SharedTransport(transport, time, true);
  }

  /** Around an asynchronous transport. */
  public static SharedTransport ofAsync(ScriptTransport transport, TimeSource time) {
    return new SharedTransport(transport, time, false);
  }

  /** A call that was sent alone; completes with its stage once the transport has returned that. */
  static final class LoneCall extends CompletableFuture<CompletableFuture<?>> {
    private static final CompletableFuture<?> ENDED = CompletableFuture.completedFuture(null);
    final long sentNanos;
    private final ScriptCall call;

    LoneCall(ScriptCall call, long sentNanos) {
      this.call = call;
      this.sentNanos = sentNanos;
    }

    /** The transport has returned its stage; an answer is kept only for a group. */
    void sent(CompletableFuture<?> stage) {
      complete(stage.isDone() && getNumberOfDependents() == 0 ? ENDED : stage);
    }

    /** Returns whether it is a call like this one, and is under way. */
    boolean isLike(ScriptCall other) {
      CompletableFuture<?> stage = getNow(null);
      return (stage == null || !stage.isDone()) && call.equals(other);
    }
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    if (!mayShare(call)) {
      return transport.send(call);
    }
    int place = place(call);
    SharedGroup group = group(call, place);
    if (group != null) {
      SharedTrip<SharedCall> trip = group.goesAlone();
      if (trip != null) {
        return group.sendAlone(trip, call);
      }
      SharedCall shared = blocking ? new ThreadCall(group, call) : new SharedCall(group, call);
      if (group.enter(shared)) {
        shared.entered();
        return shared.stage;
      }
    }
    LoneCall lone = new LoneCall(call, time.nanos());
    alone.setRelease(place, lone);
    try {
      CompletionStage<? extends @Nullable Object> stage = transport.send(call);
      lone.sent(TransportStages.future(stage));
      return stage;
    } catch (Throwable e) {
      lone.sent(CompletableFuture.failedFuture(e));
      throw e;
    }
  }

  /**
   * Returns whether a call may share a trip. Each call of a leaky bucket has a turn of its own. A
   * cluster's transport must write both commands at once, because trips of two round trips would
   * halve the throughput.
   */
  private boolean mayShare(ScriptCall call) {
    return call.charge() > 0
        && !LuaScript.LEAKY_BUCKET.scriptName().equals(call.scriptName())
        && (!transport.followsRedirects() || transport.ordersCalls());
  }

  /** The place of a call, whose bytes are hashed for it. */
  private static int place(ScriptCall call) {
    int hash = call.hashCode();
    return (hash ^ hash >>> 16) & PLACES - 1;
  }

  /** Returns the group for a call, which the second one makes; null for the first. */
  private @Nullable SharedGroup group(ScriptCall call, int place) {
    SharedGroup known = groups.isEmpty() ? null : groups.get(call);
    if (known != null) {
      return known;
    }
    LoneCall lone = alone.getAcquire(place);
    if (lone == null || !lone.isLike(call)) {
      return null;
    }
    SharedGroup made = groups.computeIfAbsent(call, like -> new SharedGroup(like, lone, this));
    made.followFirst();
    return made;
  }

  /** Counts the calls of a trip, if there are two or more. */
  void sent(int calls) {
    if (calls > 1) {
      sharedTrips.increment();
      sharedCalls.add(calls);
    }
  }

  /** Trips of two or more calls. */
  public long sharedTrips() {
    return sharedTrips.sum();
  }

  /** The calls of these trips. */
  public long sharedCalls() {
    return sharedCalls.sum();
  }

  @Override
  public List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return transport.sendAll(calls);
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return transport.loadFunctions(library);
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return transport.failure(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return transport.followsRedirects();
  }

  @Override
  public void renew(ScriptCall call) {
    transport.renew(call);
  }

  @Override
  public boolean opens(ScriptCall call, boolean silent) {
    // A call that waits for others opens nothing.
    SharedGroup group = mayShare(call) ? groups.get(call) : null;
    return (group == null || !group.waits()) && transport.opens(call, silent);
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return transport.node(call);
  }

  @Override
  public boolean checksNodes() {
    return transport.checksNodes();
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return transport.openCheck(call);
  }

  @Override
  public boolean ordersCalls() {
    return transport.ordersCalls();
  }
}
