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
 * What is the least that a call can cost through each client?
 *
 * <pre>{@code
 * ./penstock jmh FloorsBenchmark -prof gc -t 8
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public class FloorsBenchmark {
  @Param public Client client = Client.JEDIS;
  @Param public Floor floor = Floor.PING;

  @Param("ALLOWED")
  public Workload workload = Workload.ALLOWED;

  private Arena arena;
  private Decider decider;

  @Setup
  public void open(BenchmarkParams parameters) {
    arena = new Arena(client, parameters);
    decider = floor.on(arena.session(), arena.target(), workload);
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
    public void begin(FloorsBenchmark benchmark, ThreadParams thread) {
      walk = new Walk(benchmark.workload, thread.getThreadIndex());
    }
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return decider.decide(caller.walk.next());
  }
}
