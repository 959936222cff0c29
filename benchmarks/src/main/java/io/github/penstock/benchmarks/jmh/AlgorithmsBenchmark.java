package io.github.penstock.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
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
 * What does a decision cost with each algorithm through each client?
 *
 * <pre>{@code
 * ./penstock jmh AlgorithmsBenchmark -prof gc -t 8
 * ./penstock jmh AlgorithmsBenchmark -t 64 -p client=LETTUCE -p workload=MIXED -p tiers=1,3
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public class AlgorithmsBenchmark {
  @Param public Client client = Client.JEDIS;
  @Param public Algorithm algorithm = Algorithm.TOKEN_BUCKET;

  @Param({"ALLOWED", "DENIED", "MIXED"})
  public Workload workload = Workload.ALLOWED;

  @Param("1")
  public int tiers = 1;

  private Arena arena;
  private Decider decider;

  @Setup
  public void open(BenchmarkParams parameters) {
    arena = new Arena(client, parameters);
    decider =
        Deciders.prepared(
            Deciders.penstock(arena.session().limiters(), algorithm, workload, tiers), workload);
  }

  @TearDown
  public void close() {
    arena.close();
  }

  /** A thread's way through the subjects. */
  @State(Scope.Thread)
  public static class Caller {
    private Walk walk;

    @Setup
    public void begin(AlgorithmsBenchmark benchmark, ThreadParams thread) {
      walk = new Walk(benchmark.workload, thread.getThreadIndex());
    }
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return decider.decide(caller.walk.next());
  }
}
