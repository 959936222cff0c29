package io.github.penstock.core.internal.trips;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.scripts.LuaScript;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The groups of calls by what would be sent, and the last calls that were sent alone. A call that
 * is alone costs one place in a table: another call may take the place, and then it does not begin
 * a group. Safe for use by several threads.
 *
 * @param <G> a group
 */
final class TripTable<G> {
  private static final int PLACES = 1 << 12;

  /** A call that was sent alone. */
  interface LoneCall {
    /** Returns whether it is a call like this one, and is under way. */
    boolean isLike(ScriptCall call);
  }

  final Map<ScriptCall, G> groups = new ConcurrentHashMap<>();

  /** The time of the last trip of a group that is over; 0 if there was none. */
  volatile long tookNanos;

  private final AtomicReferenceArray<@Nullable LoneCall> alone = new AtomicReferenceArray<>(PLACES);

  /**
   * Returns whether a call may share a trip. Each call of a leaky bucket has a turn of its own. A
   * cluster's transport must write both commands at once, because trips of two round trips would
   * halve the throughput.
   */
  static boolean mayShare(ScriptCall call, ScriptTransport transport) {
    return call.charge() > 0
        && !LuaScript.LEAKY_BUCKET.scriptName().equals(call.scriptName())
        && (!transport.followsRedirects() || transport.ordersCalls());
  }

  /** Returns the group for a call, which the second one makes; null for the first. */
  @Nullable G group(ScriptCall call, int place, Function<LoneCall, G> make) {
    G known = groups.isEmpty() ? null : groups.get(call);
    if (known != null) {
      return known;
    }
    LoneCall lone = alone.getAcquire(place);
    if (lone == null || !lone.isLike(call)) {
      return null;
    }
    return groups.computeIfAbsent(call, like -> make.apply(lone));
  }

  void add(int place, LoneCall lone) {
    alone.setRelease(place, lone);
  }

  /** The place of a call, whose bytes are hashed for it. */
  static int place(ScriptCall call) {
    int hash = call.hashCode();
    return (hash ^ hash >>> 16) & PLACES - 1;
  }
}
