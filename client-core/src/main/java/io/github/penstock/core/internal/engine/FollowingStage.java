package io.github.penstock.core.internal.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.internal.engine.CallDeadlines.LateCall;
import io.github.penstock.core.internal.near.SubjectLease.LeaseRefill;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.CallPlanner;
import io.github.penstock.core.internal.plan.LeasedCall;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Waits until other calls have taken their leases, in turn, or for its own deadline, and then
 * continues. It is one stage however many it waits for: nested stages would complete each other on
 * a stack that thousands of them overflow.
 */
final class FollowingStage extends CompletableFuture<Decision>
    implements CallDriver<Decision, FollowingStage>, LateCall {
  private final CallPlanner planner;
  private final AsyncCalls calls;
  private final LeasedCall leased;
  private final AtomicReference<@Nullable LeaseRefill> awaited = new AtomicReference<>();
  private volatile boolean late;
  private volatile @Nullable CompletableFuture<Decision> followed;

  FollowingStage(CallPlanner planner, AsyncCalls calls, LeasedCall leased) {
    this.planner = planner;
    this.calls = calls;
    this.leased = leased;
  }

  FollowingStage after(LeaseRefill first) {
    CallDeadlines.Entry entry = new CallDeadlines.Entry(this, leased.deadlineNanos());
    calls.watch(entry);
    whenComplete((decision, failure) -> entry.claim());
    await(first);
    return this;
  }

  /*
   * The thread that takes the awaited result continues; "late" is written before that is read, and
   * the other way round here.
   */
  private void await(LeaseRefill taking) {
    awaited.set(taking);
    taking
        .ending()
        .whenComplete(
            (nothing, failure) -> {
              if (awaited.compareAndSet(taking, null)) {
                follow();
              }
            });
    if (late) {
      expire();
    }
  }

  @Override
  public void expire() {
    late = true;
    if (awaited.getAndSet(null) != null) {
      leased.waitNoMore();
      follow();
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    awaited.set(null);
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    CompletableFuture<Decision> following = followed;
    if (cancelled && following != null) {
      following.cancel(mayInterruptIfRunning);
    }
    return cancelled;
  }

  private void follow() {
    try {
      planner.tryAcquire(leased, this, this::again);
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  private FollowingStage again(LeasedCall waiting) {
    await(Objects.requireNonNull(waiting.other()));
    return this;
  }

  @Override
  public FollowingStage decided(Decision result) {
    calls.completingOrHere().execute(() -> complete(result));
    return this;
  }

  @Override
  public FollowingStage failed(RuntimeException failure) {
    calls.completingOrHere().execute(() -> completeExceptionally(failure));
    return this;
  }

  @Override
  public FollowingStage send(ScriptCall call, ReplyReader<Decision> reader) {
    CompletableFuture<Decision> following = calls.<Decision>driver().send(call, reader);
    followed = following;
    if (isCancelled()) {
      following.cancel(true);
    }
    following.whenComplete(this::end);
    return this;
  }

  private void end(@Nullable Decision decision, @Nullable Throwable failure) {
    if (decision == null) {
      completeExceptionally(TransportFailure.unwrapped(Objects.requireNonNull(failure)));
    } else {
      complete(decision);
    }
  }
}
