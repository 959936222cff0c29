package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RawScript;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TargetType;
import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.limit.LimitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
import org.openjdk.jmh.util.SampleBuffer;

/**
 * How many decisions a second does one thread get that never waits for one, with at most 256 in
 * flight?
 *
 * <pre>{@code
 * ./penstock jmh AsyncBenchmark -prof gc
 * ./penstock jmh AsyncBenchmark -p client=REDISSON -p algorithm=LEAKY_BUCKET
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(1)
public class AsyncBenchmark {
  private static final int WINDOW = 256;

  @Param({"LETTUCE", "REDISSON"})
  public RedisClientType client = RedisClientType.LETTUCE;

  @Param public LimitKind algorithm = LimitKind.TOKEN_BUCKET;

  /** One {@link TargetType}, or several that take turns, an iteration each. */
  @Param({"PENSTOCK", "SAME_COMMANDS", "TOKEN_BUCKET_RAW"})
  public String callee = "";

  private final Semaphore free = new Semaphore(WINDOW);
  private final SubjectSequence sequence = new SubjectSequence(SubjectWorkload.ALLOWED, 0);
  private volatile @Nullable Throwable failure;
  private BenchmarkTarget target;
  private ClientSession session;
  private final List<IntFunction<CompletionStage<?>>> calls = new ArrayList<>();
  private IntFunction<CompletionStage<?>> call;
  private int iterations;

  @Setup
  public void open(BenchmarkParams parameters) {
    if (parameters.getThreads() != 1) {
      throw new IllegalArgumentException("-t must be 1: the benchmark is about one thread");
    }
    target = BenchmarkTarget.find();
    session = client.open(target);
    for (String each : callee.split(CaseGroup.SEPARATOR)) {
      calls.add(on(TargetType.valueOf(each)));
    }
  }

  /** Begins an iteration with the one whose turn it is. */
  @Setup(Level.Iteration)
  public void turn() {
    call = calls.get(iterations++ % calls.size());
  }

  /** How long calls take; JMH adds up what its counters say after each iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Latency {
    private SampleBuffer samples = new SampleBuffer();

    /** Begins anew. */
    @Setup(Level.Iteration)
    public synchronized void begin() {
      samples = new SampleBuffer();
    }

    synchronized void add(long nanos) {
      samples.add(nanos);
    }

    /** The median, in nanoseconds. */
    public long p50Nanos() {
      return percentile(50);
    }

    /** The slowest of a hundred calls, in nanoseconds. */
    public long p99Nanos() {
      return percentile(99);
    }

    /** Of a thousand calls the slowest, in nanoseconds. */
    public long p999Nanos() {
      return percentile(99.9);
    }

    private synchronized long percentile(double rank) {
      return Math.round(samples.getStatistics(1).getPercentile(rank));
    }
  }

  @Benchmark
  public void decide(Latency latency) throws InterruptedException {
    free.acquire();
    long begin = System.nanoTime();
    call.apply(sequence.next())
        .whenComplete(
            (decision, thrown) -> {
              latency.add(System.nanoTime() - begin);
              free.release();
              if (thrown != null) {
                failure = thrown;
              }
            });
  }

  /** Waits for what is in flight; one failed call fails the benchmark. */
  @TearDown(Level.Iteration)
  public void drain() throws InterruptedException {
    free.acquire(WINDOW);
    free.release(WINDOW);
    if (failure != null) {
      throw new IllegalStateException("a call failed", failure);
    }
  }

  @TearDown
  public void close() {
    session.close();
    target.close();
  }

  private IntFunction<CompletionStage<?>> on(TargetType callee) {
    if (callee.candidate(PenstockAlgorithm.of(algorithm)) instanceof FloorCall floor) {
      return RawScript.of(floor, session, target, SubjectWorkload.ALLOWED)::begin;
    }
    AsyncRateLimiter limiter =
        session.asyncLimiters().asyncLimiter("open", PenstockAlgorithm.of(algorithm).generous(1));
    return subject -> limiter.tryAcquire(SubjectWorkload.name(subject));
  }
}
