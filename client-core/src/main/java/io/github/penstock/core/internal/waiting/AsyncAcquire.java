package io.github.penstock.core.internal.waiting;

import io.github.penstock.core.Decision;
import io.github.penstock.core.internal.waiting.WaitingQueue.Place;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for its units without a thread: the stage that its caller gets. Cancelling it
 * gives up the call of the moment, and its place in the line.
 */
public final class AsyncAcquire extends CompletableFuture<Decision> {
  private final TimeSource time;
  private final UnitWait wait;
  private final Executor completing;
  private final Supplier<CompletionStage<Decision>> ask;
  private final Function<Decision, ? extends CompletionStage<?>> giveBack;
  private volatile @Nullable CompletionStage<Decision> asked;

  private AsyncAcquire(
      Duration atMost,
      TimeSource time,
      Supplier<CompletionStage<Decision>> ask,
      Function<Decision, ? extends CompletionStage<?>> giveBack,
      @Nullable Executor completing) {
    this.completing = completing == null ? defaultExecutor() : completing;
    this.time = time;
    wait = new UnitWait(atMost, time);
    this.ask = ask;
    this.giveBack = giveBack;
  }

  /**
   * Repeats the call until the units are granted; a denial with a wait longer than {@code atMost}
   * is the result.
   *
   * @param line the waiting callers for the same units
   * @param key the key of the units
   * @param ask requests the units once
   * @param giveBack refunds the charge of a decision
   * @param completing where the stage completes; null for any thread
   */
  public static AsyncAcquire begin(
      Duration atMost,
      WaitingQueue line,
      String key,
      Supplier<CompletionStage<Decision>> ask,
      Function<Decision, ? extends CompletionStage<?>> giveBack,
      @Nullable Executor completing) {
    AsyncAcquire acquire = new AsyncAcquire(atMost, line.time(), ask, giveBack, completing);
    acquire.ask(denied -> acquire.standInLine(line.join(key), denied));
    return acquire;
  }

  /** Asks; {@code waiting} is the next step after a denial that is worth waiting. */
  private void ask(Consumer<Decision> waiting) {
    CompletionStage<Decision> asking;
    try {
      asking = ask.get();
    } catch (RuntimeException e) {
      completeExceptionally(e);
      return;
    }
    asked = asking;
    asking.whenComplete(
        (decision, failure) -> {
          try {
            if (failure != null) {
              completeExceptionally(failure);
            } else if (!isDone() && wait.isWorthWaiting(decision)) {
              waiting.accept(decision);
            } else {
              end(decision);
            }
          } catch (RuntimeException e) {
            completeExceptionally(e);
          }
        });
    if (isCancelled()) {
      asking.toCompletableFuture().cancel(true);
    }
  }

  private void standInLine(Place place, Decision denied) {
    whenComplete((decision, failure) -> place.close());
    CompletableFuture<@Nullable Void> turn = place.turn();
    turn.thenRunAsync(this::askAfterPause);
    place.ended().thenRunAsync(() -> ask(this::end));
    at(wait.endNanos())
        .execute(
            () -> {
              if (!turn.isDone()) {
                complete(denied);
              }
            });
  }

  private void askAfterPause() {
    at(wait.pauseEndNanos())
        .execute(
            () -> {
              if (!isDone()) {
                ask(denied -> askAfterPause());
              }
            });
  }

  private void end(Decision decision) {
    if (!decision.allowed() || isDone()) {
      complete(decision);
    } else if (wait.isInTime(decision)) {
      completeAfter(decision);
    } else {
      giveBack
          .apply(decision)
          .whenComplete(
              (usage, failure) -> {
                if (failure == null) {
                  complete(wait.tooLate(decision));
                } else {
                  completeExceptionally(failure);
                }
              });
    }
  }

  private void completeAfter(Decision decision) {
    Decision atItsTurn = UnitWait.atItsTurn(decision);
    if (decision.waitMicros() == 0) {
      complete(atItsTurn);
    } else {
      at(UnitWait.turnNanos(decision, time)).execute(() -> complete(atItsTurn));
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    CompletionStage<Decision> asking = asked;
    if (asking != null) {
      asking.toCompletableFuture().cancel(mayInterruptIfRunning);
    }
    return cancelled;
  }

  private Executor at(long nanos) {
    return time.at(nanos, completing);
  }
}
