package io.github.penstock.core.waiting;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Who waits here for units of a key, in the order in which they came: only the first of them asks
 * the server, so that 64 threads do not wake together and ask 64 times for one unit. Holds no more
 * than those that wait. Safe for use by several threads.
 */
public final class WaitingLine {
  private final ConcurrentHashMap<String, LinkedHashSet<Place>> lines = new ConcurrentHashMap<>();

  /** A place behind those that wait for this key; it must be closed whatever happens. */
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
    return place;
  }

  private void leave(Place place) {
    lines.computeIfPresent(
        place.key,
        (key, line) -> {
          line.remove(place);
          return line.isEmpty() ? null : line;
        });
    wakeFirst(place.key);
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

  /** One who waits. */
  public final class Place implements AutoCloseable {
    private final String key;
    private final CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();

    private Place(String key) {
      this.key = key;
    }

    /** Done when this is the first. */
    public CompletableFuture<@Nullable Void> turn() {
      return turn;
    }

    /** Waits until this is the first; returns false if it is not within so long. */
    boolean awaitTurn(long nanos) throws InterruptedException {
      try {
        turn.get(nanos, TimeUnit.NANOSECONDS);
        return true;
      } catch (TimeoutException tooLate) {
        return false;
      } catch (ExecutionException impossible) {
        throw new AssertionError(impossible);
      }
    }

    /** Leaves the line; the next one's turn may have come. */
    @Override
    public void close() {
      leave(this);
    }
  }
}
