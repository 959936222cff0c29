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
 * What does a decision cost with other limiters on the same client?
 *
 * <pre>{@code
 * ./penstock jmh PeersBenchmark -prof gc -t 8 -p workload=ALLOWED,EXHAUSTED,HOT
 * ./penstock jmh PeersBenchmark -t 64 -p workload=HOT -p contender=PENSTOCK,BUCKET4J
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public class PeersBenchmark {
  @Param public Client client = Client.JEDIS;
  @Param public Contender contender = Contender.PENSTOCK;

  @Param({"ALLOWED", "EXHAUSTED", "HOT"})
  public Workload workload = Workload.ALLOWED;

  private Arena arena;
  private Decider decider;

  @Setup
  public void open(BenchmarkParams parameters) {
    String cannot = contender.cannot(client);
    if (!cannot.isEmpty()) {
      throw new UnsupportedOperationException(contender.title() + ": " + cannot);
    }
    arena = new Arena(client, parameters);
    decider = Deciders.prepared(contender.on(arena.session(), arena.target(), workload), workload);
  }

  @TearDown
  public void close() {
    if (arena != null) {
      arena.close();
    }
  }

  /** A thread's way through the subjects. */
  @State(Scope.Thread)
  public static class Caller {
    private Walk walk;

    @Setup
    public void begin(PeersBenchmark benchmark, ThreadParams thread) {
      walk = new Walk(benchmark.workload, thread.getThreadIndex());
    }
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return decider.decide(caller.walk.next());
  }
}
