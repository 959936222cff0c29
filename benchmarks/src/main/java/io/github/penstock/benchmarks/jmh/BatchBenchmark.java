package io.github.penstock.benchmarks.jmh;

import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
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

  @Param({"PENSTOCK", "SAME_COMMANDS"})
  public Callee callee = Callee.PENSTOCK;

  private Arena arena;
  private ToIntFunction<int[]> call;

  @Setup
  public void open(BenchmarkParams parameters) {
    arena = new Arena(client, parameters);
    call = callee == Callee.PENSTOCK ? penstock() : floor();
  }

  @TearDown
  public void close() {
    arena.close();
  }

  /** A thread's batches, made beforehand. */
  @State(Scope.Thread)
  public static class Caller {
    private final int[][] batches = new int[SIZE][SIZE];
    private int next;

    @Setup
    public void begin(ThreadParams thread) {
      Walk walk = new Walk(Workload.ALLOWED, thread.getThreadIndex());
      for (int[] batch : batches) {
        Arrays.setAll(batch, i -> walk.next());
      }
    }

    int[] batch() {
      next = (next + 1) % SIZE;
      return batches[next];
    }
  }

  @Benchmark
  @OperationsPerInvocation(SIZE)
  public int decideAll(Caller caller) {
    return call.applyAsInt(caller.batch());
  }

  private ToIntFunction<int[]> penstock() {
    RateLimiter limiter = arena.session().limiters().limiter("open", algorithm.generous(1));
    return batch -> {
      List<String> subjects = new ArrayList<>(batch.length);
      for (int subject : batch) {
        subjects.add(Subjects.name(subject));
      }
      int allowed = 0;
      for (Outcome outcome : limiter.tryAcquireAll(subjects)) {
        allowed += outcome.decision().allowed() ? 1 : 0;
      }
      return allowed;
    };
  }

  private ToIntFunction<int[]> floor() {
    Session session = arena.session();
    String sha1 = Floor.sha1(Floor.SAME_COMMANDS.source());
    session.load(Floor.SAME_COMMANDS.source());
    byte[][][] keys = Floor.keys(arena.target(), Workload.ALLOWED);
    byte[][] arguments = Floor.arguments();
    return batch -> {
      List<byte[][]> together = new ArrayList<>(batch.length);
      for (int subject : batch) {
        together.add(keys[subject]);
      }
      session.evalshaAll(sha1, together, arguments);
      return batch.length;
    };
  }
}
