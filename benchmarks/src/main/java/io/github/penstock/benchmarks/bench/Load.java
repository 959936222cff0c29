package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.jmh.Decider;
import io.github.penstock.benchmarks.jmh.Walk;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls from several threads of this process. */
final class Load {
  private static final int BETWEEN_CHECKS = 256;

  private Load() {}

  /**
   * Makes so many decisions with {@link Profile#THREADS} threads, each its share.
   *
   * @return how long it took, in seconds
   * @throws IllegalStateException if a call fails
   */
  static double run(Decider decider, Workload workload, int decisions) {
    ExecutorService threads = Executors.newFixedThreadPool(Profile.THREADS);
    long begin = System.nanoTime();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < Profile.THREADS; i++) {
        Walk walk = new Walk(workload, i);
        all.add(threads.submit(() -> decide(decider, walk, decisions / Profile.THREADS)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      return (System.nanoTime() - begin) / 1e9;
    } catch (ExecutionException failure) {
      CleanStop.check();
      throw new IllegalStateException(String.valueOf(failure.getCause()), failure.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", interrupted);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void decide(Decider decider, Walk walk, int decisions) {
    for (int i = 0; i < decisions; i++) {
      if (i % BETWEEN_CHECKS == 0) {
        CleanStop.check();
      }
      decider.decide(walk.next());
    }
  }
}
