package io.github.penstock.benchmarks.jmh;

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
  @Param public Client client = Client.JEDIS;
  @Param public Algorithm algorithm = Algorithm.TOKEN_BUCKET;

  @Param({"PENSTOCK", "SAME_COMMANDS", "TOKEN_BUCKET_RAW"})
  public Callee callee = Callee.PENSTOCK;

  private Arena arena;
  private Turn.Call call;

  @Setup
  public void open(BenchmarkParams parameters) {
    arena = new Arena(client, parameters);
    call = Turn.batch(callee, algorithm).on(arena.session(), arena.target());
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
    public void begin(ThreadParams thread) {
      walk = new Walk(Workload.ALLOWED, thread.getThreadIndex());
    }
  }

  @Benchmark
  @OperationsPerInvocation(Turn.BATCH_SIZE)
  public boolean decideAll(Caller caller) {
    return call.make(caller.walk);
  }
}
