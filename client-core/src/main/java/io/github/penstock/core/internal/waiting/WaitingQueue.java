package io.github.penstock.core.internal.waiting;

import io.github.penstock.core.spi.time.TimeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait in this process for units of a key, in order of arrival: only the first calls
 * the server, so that 64 threads do not wake together and call 64 times for one unit. Holds no more
 * than those that wait. Safe for use by several threads.
 */
public final class WaitingQueue {
  private final ConcurrentHashMap<String, LinkedHashSet<Place>> lines = new ConcurrentHashMap<>();
  private final TimeSource time;
  private volatile boolean closed;

  /** An empty queue; waits use {@code time}. */
  public WaitingQueue(TimeSource time) {
    this.time = time;
  }

  TimeSource time() {
    return time;
  }

  /** Ends all waits, and those that begin later: every waiting call tries at once. */
  public void close() {
    closed = true;
    List<Place> waiting = new ArrayList<>();
    for (String key : lines.keySet()) {
      lines.computeIfPresent(
          key,
          (same, line) -> {
            waiting.addAll(line);
            return line;
          });
    }
    waiting.forEach(Place::end);
  }

  /** A place behind the waiters for this key; it must be closed in all cases. */
  public Place join(String key) {
    Place place = new Place(key);
    lines.compute(
        key,
        (same, line) -> {
          LinkedHashSet<Place> longer = line == null ? new LinkedHashSet<>() : line;
          longer.add(place);
          return longer;
        });
    wakeFirst(key);
    if (closed) {
      place.end();
    }
    return place;
  }

  private void wakeFirst(String key) {
    Place[] first = new Place[1];
    lines.computeIfPresent(
        key,
        (same, line) -> {
          Iterator<Place> places = line.iterator();
          first[0] = places.next();
          return line;
        });
    @Nullable Place woken = first[0];
    if (woken != null) {
      woken.turn.complete(null);
    }
  }

  public final class Place implements AutoCloseable {
    private final String key;
    private final CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    private Place(String key) {
      this.key = key;
    }

    private void end() {
      turn.complete(null);
      ended.complete(null);
    }

    /** Completes when the last waiter has left, because the line is closed. */
    CompletableFuture<@Nullable Void> ended() {
      return ended;
    }

    /** Done when this is the first. */
    public CompletableFuture<@Nullable Void> turn() {
      return turn;
    }

    /** Leaves the line; the next one's turn may have come. */
    @Override
    public void close() {
      lines.computeIfPresent(
          key,
          (same, line) -> {
            line.remove(this);
            return line.isEmpty() ? null : line;
          });
      wakeFirst(key);
    }
  }
}
