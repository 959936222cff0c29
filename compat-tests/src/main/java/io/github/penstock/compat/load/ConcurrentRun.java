package io.github.penstock.compat.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the same work on many threads that begin together. */
public final class ConcurrentRun {
  private ConcurrentRun() {}

  /** One call of many. */
  @FunctionalInterface
  public interface Work<T> {
    T call(int thread, int call) throws Exception;
  }

  /** Returns the results of all calls, in no order; throws the failure of one, if any failed. */
  public static <T> List<T> each(int threads, int callsPerThread, Work<T> work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CyclicBarrier together = new CyclicBarrier(threads);
    List<Callable<List<T>>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      tasks.add(
          () -> {
            together.await();
            List<T> results = new ArrayList<>();
            for (int call = 0; call < callsPerThread; call++) {
              results.add(work.call(thread, call));
            }
            return results;
          });
    }
    try {
      List<T> all = new ArrayList<>();
      for (Future<List<T>> ended : executor.invokeAll(tasks, 5, TimeUnit.MINUTES)) {
        all.addAll(ended.get());
      }
      return all;
    } finally {
      executor.shutdownNow();
    }
  }
}
