package io.github.penstock.benchmarks.server;

import io.github.penstock.benchmarks.limiter.LimiterUnderTest;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.report.console.OrderlyStop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Calls from several threads of this process. */
final class ThreadLoad {
  private static final int BETWEEN_CHECKS = 256;

  private ThreadLoad() {}

  /**
   * Makes this number of decisions with {@link BenchmarkProfile#THREADS} threads, in equal shares.
   *
   * @throws IllegalStateException if a call fails
   */
  static void run(LimiterUnderTest limiter, SubjectWorkload workload, int decisions) {
    int threads = BenchmarkProfile.THREADS;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CompletableFuture.allOf(
              IntStream.range(0, threads)
                  .mapToObj(thread -> new SubjectSequence(workload, thread))
                  .map(
                      sequence ->
                          CompletableFuture.runAsync(
                              () -> decide(limiter, sequence, decisions / threads), pool))
                  .toArray(CompletableFuture[]::new))
          .join();
    } catch (CompletionException failure) {
      OrderlyStop.check();
      throw new IllegalStateException(String.valueOf(failure.getCause()), failure.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static void decide(LimiterUnderTest limiter, SubjectSequence sequence, int decisions) {
    for (int i = 0; i < decisions; i++) {
      if (i % BETWEEN_CHECKS == 0) {
        OrderlyStop.check();
      }
      limiter.decide(sequence.next());
    }
  }
}
