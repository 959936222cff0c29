package io.github.penstock.local.internal;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.waiting.AsyncAcquire;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limiter whose stages are complete on return, except those that wait. */
public final class LocalAsyncLimiter implements AsyncRateLimiter {
  private final LocalRateLimiter limiter;
  private final WaitingQueue line;
  private final @Nullable Executor completing;

  public LocalAsyncLimiter(
      LocalRateLimiter limiter, WaitingQueue line, @Nullable Executor completing) {
    this.limiter = limiter;
    this.line = line;
    this.completing = completing;
  }

  @Override
  public String policy() {
    return limiter.policy();
  }

  @Override
  public Limit limit() {
    return limiter.limit();
  }

  @Override
  public CompletionStage<Decision> tryAcquire(String subject, long cost) {
    return stage(() -> limiter.tryAcquire(subject, cost));
  }

  @Override
  public CompletionStage<Decision> acquire(String subject, long cost, Duration atMost) {
    return AsyncAcquire.begin(
        atMost,
        line,
        limiter.waitingKey(subject, cost),
        () -> tryAcquire(subject, cost),
        late -> refund(subject, cost),
        completing);
  }

  @Override
  public CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max) {
    return stage(() -> limiter.tryAcquireUpTo(subject, max));
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects) {
    return stage(() -> limiter.tryAcquireAll(subjects));
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> calls) {
    return stage(() -> limiter.tryAcquireEach(calls));
  }

  @Override
  public CompletionStage<Usage> peek(String subject) {
    return stage(() -> limiter.peek(subject));
  }

  @Override
  public CompletionStage<Usage> refund(String subject, long units) {
    return stage(() -> limiter.refund(subject, units));
  }

  @Override
  public String toString() {
    return limiter.toString();
  }

  /* A wrong argument or a closed limiter throws at once. */
  private static <T> CompletionStage<T> stage(Supplier<T> calling) {
    try {
      return CompletableFuture.completedFuture(calling.get());
    } catch (IllegalArgumentException | IllegalStateException thrown) {
      throw thrown;
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
