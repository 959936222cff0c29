package io.github.penstock.benchmarks.jmh;

import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What does a decision cost when a hundred are asked for together?
 *
 * <pre>{@code
 * ./penstock jmh BatchBenchmark -prof gc -t 8
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public class BatchBenchmark {
  private static final int SIZE = 100;
  @Param public Client client = Client.JEDIS;
  @Param public Algorithm algorithm = Algorithm.TOKEN_BUCKET;
  private Arena arena;
  private RateLimiter limiter;

  @Setup
  public void open(BenchmarkParams parameters) {
    arena = new Arena(client, parameters);
    limiter = arena.session().limiters().limiter("open", algorithm.generous(1));
  }

  @TearDown
  public void close() {
    arena.close();
  }

  /** A thread's batches, made beforehand. */
  @State(Scope.Thread)
  public static class Caller {
    private final List<List<String>> batches = new ArrayList<>();
    private int next;

    @Setup
    public void begin(ThreadParams thread) {
      Walk walk = new Walk(Workload.ALLOWED, thread.getThreadIndex());
      for (int batch = 0; batch < SIZE; batch++) {
        List<String> subjects = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
          subjects.add(Subjects.name(walk.next()));
        }
        batches.add(subjects);
      }
    }

    List<String> batch() {
      next = (next + 1) % SIZE;
      return batches.get(next);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SIZE)
  public int decideAll(Caller caller) {
    int allowed = 0;
    for (Outcome outcome : limiter.tryAcquireAll(caller.batch())) {
      allowed += outcome.decision().allowed() ? 1 : 0;
    }
    return allowed;
  }
}
