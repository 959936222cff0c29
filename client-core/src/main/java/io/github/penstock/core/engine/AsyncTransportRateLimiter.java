package io.github.penstock.core.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.engine.CallDeadlines.LateCall;
import io.github.penstock.core.failure.TransportStages;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.near.LeaseRefill;
import io.github.penstock.core.plan.CallDriver;
import io.github.penstock.core.plan.CallPlanner;
import io.github.penstock.core.plan.LeaseWait;
import io.github.penstock.core.plan.LeasedCall;
import io.github.penstock.core.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.waiting.AsyncAcquire;
import io.github.penstock.core.waiting.WaitingQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The limiter over an asynchronous transport. */
final class AsyncTransportRateLimiter implements AsyncRateLimiter {
  private final CallPlanner planner;
  private final AsyncCalls calls;
  private final WaitingQueue line;
  private final CallDriver<Decision, CompletableFuture<Decision>> decisions;
  private final CallDriver<AcquiredUnits, CompletableFuture<AcquiredUnits>> acquisitions;
  private final CallDriver<Usage, CompletableFuture<Usage>> usages;
  private final LeaseWait<CompletableFuture<Decision>> following = this::follow;

  AsyncTransportRateLimiter(CallPlanner planner, AsyncCalls calls, WaitingQueue line) {
    this.planner = planner;
    this.calls = calls;
    this.line = line;
    decisions = new AsyncDriver<>(calls);
    acquisitions = new AsyncDriver<>(calls);
    usages = new AsyncDriver<>(calls);
  }

  @Override
  public String policy() {
    return planner.policy().name();
  }

  @Override
  public Limit limit() {
    return planner.policy().limit();
  }

  @Override
  public CompletionStage<Decision> tryAcquire(String subject, long cost) {
    return planner.tryAcquire(subject, cost, decisions, following);
  }

  private CompletableFuture<Decision> follow(LeasedCall leased) {
    return new FollowingStage(leased).after(Objects.requireNonNull(leased.other()));
  }

  @Override
  public CompletionStage<Decision> acquire(String subject, long cost, Duration atMost) {
    return AsyncAcquire.begin(
        atMost,
        line,
        planner.policy().waitingKey(subject, cost),
        () -> tryAcquire(subject, cost),
        admitted ->
            planner.givesBackHere(subject, cost, admitted)
                ? CompletableFuture.completedFuture(admitted)
                : refund(subject, cost),
        calls.route().completing());
  }

  @Override
  public CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max) {
    return planner.tryAcquireUpTo(subject, max, acquisitions);
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects) {
    return tryAcquireEach(CallBatch.ofOneUnit(subjects));
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> each) {
    PartsStage outcomes = new PartsStage(new BatchParts(planner, each, calls::node));
    outcomes.send();
    return outcomes;
  }

  @Override
  public CompletionStage<Usage> peek(String subject) {
    return planner.peek(subject, usages);
  }

  @Override
  public CompletionStage<Usage> refund(String subject, long units) {
    return planner.refund(subject, units, usages);
  }

  @Override
  public String toString() {
    return planner.policy().toString();
  }

  /*
   * Waits until other calls have taken their leases, one after the other, or for its own deadline,
   * and then goes on. It is one stage however many it waits for: nested stages would complete each
   * other on a stack that thousands of them overflow.
   */
  private final class FollowingStage extends CompletableFuture<Decision>
      implements CallDriver<Decision, FollowingStage>, LateCall {
    private final LeasedCall leased;
    private final AtomicReference<@Nullable LeaseRefill> awaited = new AtomicReference<>();
    private volatile boolean late;
    private volatile @Nullable CompletableFuture<Decision> followed;

    FollowingStage(LeasedCall leased) {
      this.leased = leased;
    }

    FollowingStage after(LeaseRefill first) {
      CallDeadlines.Entry entry = new CallDeadlines.Entry(this, leased.deadlineNanos());
      calls.watch(entry);
      whenComplete((decision, failure) -> entry.claim());
      await(first);
      return this;
    }

    /* Who takes what is awaited goes on; "late" is written before that is read, and the other way about here. */
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
      calls.route().completingOrHere().execute(() -> complete(result));
      return this;
    }

    @Override
    public FollowingStage failed(RuntimeException failure) {
      calls.route().completingOrHere().execute(() -> completeExceptionally(failure));
      return this;
    }

    @Override
    public FollowingStage send(ScriptCall call, ReplyReader<Decision> reader) {
      CompletableFuture<Decision> following = calls.send(call, reader);
      followed = following;
      if (isCancelled()) {
        following.cancel(true);
      }
      following.whenComplete(this::end);
      return this;
    }

    private void end(@Nullable Decision decision, @Nullable Throwable failure) {
      if (decision == null) {
        completeExceptionally(TransportStages.unwrapped(Objects.requireNonNull(failure)));
      } else {
        complete(decision);
      }
    }
  }

  /* The parts of a batch, one after the other. */
  private final class PartsStage extends CompletableFuture<List<Outcome>> {
    private final BatchParts parts;
    private volatile List<AsyncCall<Decision>> started = List.of();

    PartsStage(BatchParts parts) {
      this.parts = parts;
    }

    /* A loop, as parts that end at once would nest on the stack. */
    void send() {
      while (parts.hasNext() && !isDone()) {
        CallBatch part = parts.next();
        List<AsyncCall<Decision>> sent = calls.callAll(part);
        started = sent;
        if (isCancelled()) {
          cancelStarted();
        }
        CompletableFuture<Void> all =
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
        if (!all.isDone()) {
          all.whenCompleteAsync(
              (nothing, failure) -> {
                settle(part, sent);
                send();
              },
              calls.route().completingOrHere());
          return;
        }
        settle(part, sent);
      }
      complete(parts.outcomes());
    }

    private void settle(CallBatch part, List<AsyncCall<Decision>> settled) {
      for (int i = 0; i < settled.size(); i++) {
        AsyncCall<Decision> call = settled.get(i);
        part.settle(i, () -> joined(call));
      }
      parts.ended(part);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      if (cancelled) {
        cancelStarted();
      }
      return cancelled;
    }

    private void cancelStarted() {
      started.forEach(call -> call.cancel(true));
    }
  }

  private static Decision joined(AsyncCall<Decision> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
