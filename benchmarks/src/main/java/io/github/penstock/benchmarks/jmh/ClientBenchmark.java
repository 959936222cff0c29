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

/** What benchmarks of blocking calls have in common: a client, and threads that go their ways. */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public abstract class ClientBenchmark {
  @Param public Client client = Client.JEDIS;

  private Arena arena;
  private Workload asked;
  private Turn.Call call;

  /** What is called, again and again; what cannot be throws. */
  abstract Turn turn();

  @Setup
  public void open(BenchmarkParams parameters) {
    Turn turn = turn();
    asked = turn.workload();
    arena = new Arena(client, parameters);
    call = turn.on(arena.session(), arena.target());
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
    private int thread;
    private Walk walk;

    @Setup
    public void begin(ThreadParams parameters) {
      thread = parameters.getThreadIndex();
    }

    private Walk through(Workload workload) {
      if (walk == null) {
        walk = new Walk(workload, thread);
      }
      return walk;
    }
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return call.make(caller.through(asked));
  }
}
