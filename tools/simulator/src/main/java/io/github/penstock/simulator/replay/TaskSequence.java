package io.github.penstock.simulator.replay;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Tasks that run one after the other, in the order given, on threads that other tasks use, too.
 * After one that failed no other runs. Safe for use by several threads.
 */
final class TaskSequence {
  private final Executor threads;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  TaskSequence(Executor threads) {
    this.threads = threads;
  }

  /** Returns a stage that completes when the task has ended, or will not run. */
  synchronized CompletableFuture<Void> add(Runnable task) {
    last = last.thenRunAsync(task, threads);
    return last;
  }
}
