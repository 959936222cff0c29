package io.github.penstock.core.spi;

import io.github.penstock.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Determines, for a client that reads on event loops, until when they have read received data: an
 * answer that is still in a socket because this process is busy is not silence of the server. Safe
 * for use by several threads.
 *
 * <p>A look is a task of each event loop, which schedules a second one for the loop's next round:
 * between the two it reads. Loops that need longer than half a deadline for that are behind.
 */
public final class EventLoopWatch {
  private final Set<ScheduledExecutorService> loops = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Look> looking = new AtomicReference<>();
  private final long mostNanos;
  private volatile long readNanos = TimeSource.SYSTEM.nanos();

  /** A look that has not ended. */
  private static final class Look {
    private final long beganNanos = TimeSource.SYSTEM.nanos();
    private final AtomicInteger left;

    Look(int loops) {
      left = new AtomicInteger(loops);
    }
  }

  /**
   * Watches no event loop yet.
   *
   * @param deadline of the calls
   */
  public EventLoopWatch(Duration deadline) {
    mostNanos = deadline.toNanos() / 2;
  }

  /**
   * Notes the event loop that writes a call, and will read its answer.
   *
   * @param loop null if it is not known
   */
  public void writing(@Nullable ScheduledExecutorService loop) {
    if (loop != null && !loops.contains(loop)) {
      loops.add(loop);
    }
  }

  /**
   * Returns whether all that had come until then is read, or the loops are behind; sees to it that
   * they read if not.
   *
   * @param untilNanos a time of {@link TimeSource#SYSTEM}
   */
  public boolean hasRead(long untilNanos) {
    if (readNanos(untilNanos) - untilNanos >= 0 || isBehind()) {
      return true;
    }
    if (looking.get() == null) {
      look(List.copyOf(loops));
    }
    return false;
  }

  /** Returns until when all that came is read: until now, where no loop is known. */
  long readNanos(long now) {
    return loops.isEmpty() ? now : readNanos;
  }

  /** Returns whether the loops need too long to read. */
  public boolean isBehind() {
    Look look = looking.get();
    if (look == null || TimeSource.SYSTEM.nanos() - look.beganNanos < mostNanos) {
      return false;
    }
    boolean endsNever = loops.removeIf(ExecutorService::isShutdown);
    return !endsNever || !looking.compareAndSet(look, null);
  }

  private void look(List<ScheduledExecutorService> all) {
    Look look = new Look(all.size());
    if (all.isEmpty() || !looking.compareAndSet(null, look)) {
      return;
    }
    for (ScheduledExecutorService loop : all) {
      try {
        loop.execute(() -> lookAgain(loop, look));
      } catch (RejectedExecutionException shutDown) {
        ended(loop, look);
      }
    }
  }

  private void lookAgain(ScheduledExecutorService loop, Look look) {
    try {
      loop.schedule(() -> ended(look), 1, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException shutDown) {
      ended(loop, look);
    }
  }

  private void ended(ScheduledExecutorService shutDown, Look look) {
    loops.remove(shutDown);
    ended(look);
  }

  private void ended(Look look) {
    if (look.left.decrementAndGet() == 0 && looking.get() == look) {
      readNanos = look.beganNanos;
      looking.compareAndSet(look, null);
    }
  }
}
