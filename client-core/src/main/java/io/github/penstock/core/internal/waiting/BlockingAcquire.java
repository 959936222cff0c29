package io.github.penstock.core.internal.waiting;

import io.github.penstock.core.Decision;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A call that waits for its units on the caller's thread.
 *
 * @param line the waiting callers for the same units
 * @param key the key of the units
 * @param ask requests the units once
 * @param giveBack refunds the charge of a decision
 */
public record BlockingAcquire(
    WaitingQueue line, String key, Supplier<Decision> ask, Consumer<Decision> giveBack) {
  /**
   * Repeats the call until the units are granted; a denial with a wait longer than {@code atMost}
   * is the result.
   *
   * @throws InterruptedException if the thread is interrupted before it begins or while it waits
   */
  public Decision await(Duration atMost) throws InterruptedException {
    UnitWait wait = new UnitWait(atMost, line.time());
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Decision decision = ask.get();
    if (!wait.isWorthWaiting(decision)) {
      return turn(wait, decision);
    }
    try (WaitingQueue.Place place = line.join(key)) {
      if (!line.time().await(place.turn(), wait.endNanos())) {
        return decision;
      }
      do {
        line.time().await(place.ended(), wait.pauseEndNanos());
        decision = ask.get();
      } while (wait.isWorthWaiting(decision));
    }
    return turn(wait, decision);
  }

  private Decision turn(UnitWait wait, Decision decision) throws InterruptedException {
    if (!decision.allowed()) {
      return decision;
    }
    if (!wait.isInTime(decision)) {
      giveBack.accept(decision);
      return wait.tooLate(decision);
    }
    line.time().sleep(UnitWait.turnNanos(decision, line.time()));
    return UnitWait.atItsTurn(decision);
  }
}
