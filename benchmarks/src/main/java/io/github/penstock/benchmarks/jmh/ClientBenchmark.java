package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.CallsInFlight;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.server.ServerStats;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Blocking calls of one case, or of several that are interleaved: a server, a client, and threads
 * that go their ways through the subjects.
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public abstract class ClientBenchmark {
  @Param public RedisClientType client = RedisClientType.JEDIS;

  private final List<Predicate<SubjectSequence>> calls = new ArrayList<>();
  private List<BenchmarkCase> order = List.of();
  private int iterations;
  private BenchmarkTarget target;
  private ClientSession session;
  private SubjectWorkload asked;
  private Predicate<SubjectSequence> call;

  /** In order; throws if one of them is impossible. */
  abstract List<BenchmarkCase> cases();

  @Setup
  public void open(BenchmarkParams parameters) {
    order = cases();
    target = BenchmarkTarget.find();
    boolean waits = order.stream().noneMatch(each -> each.question() == BenchmarkQuestion.ASYNC);
    if (!waits && parameters.getThreads() != 1) {
      throw new IllegalArgumentException("-t must be 1: calls in flight are about one thread");
    }
    session = client.open(target);
    order.forEach(each -> calls.add(each.on(session, target)));
  }

  @Setup(Level.Iteration)
  public void next(TripCount trips) {
    int now = iterations++ % order.size();
    asked = order.get(now).workload();
    call = calls.get(now);
    trips.begin(target, order.get(now).candidate(), call);
  }

  /** Counts, and waits for the calls in flight; one failed call fails the benchmark. */
  @TearDown(Level.Iteration)
  public void count(TripCount trips) {
    trips.end(target);
  }

  @TearDown
  public void close() {
    if (session != null) {
      session.close();
      target.close();
    }
  }

  /** How long an iteration took, and the trips of all threads in it, by the server's count. */
  @State(Scope.Benchmark)
  public static class TripCount {
    private BenchmarkCandidate candidate = LimiterType.PENSTOCK;
    private ServerStats before = new ServerStats(Map.of());
    private @Nullable CallsInFlight inFlight;
    private long trips;
    private long nanos;

    void begin(BenchmarkTarget target, BenchmarkCandidate what, Predicate<SubjectSequence> call) {
      candidate = what;
      inFlight = call instanceof CallsInFlight calls ? calls : null;
      if (inFlight != null) {
        inFlight.begin();
      }
      before = target.read(ServerStats::ofCommands);
      nanos = -System.nanoTime();
    }

    void end(BenchmarkTarget target) {
      nanos += System.nanoTime();
      ServerStats used = target.read(ServerStats::ofCommands).since(before);
      trips = Math.round(used.trips(candidate));
      if (inFlight != null) {
        inFlight.drain();
      }
    }

    private long percentile(double percent) {
      return inFlight == null ? 0 : inFlight.nanos(percent);
    }
  }

  /**
   * A thread's way through the subjects of each workload. JMH adds its counters up after each
   * iteration, so decisions are counted and not sampled.
   */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Caller {
    private final Map<SubjectWorkload, SubjectSequence> sequences =
        new EnumMap<>(SubjectWorkload.class);
    private int thread;
    private TripCount count = new TripCount();

    @Setup
    public void begin(ThreadParams parameters, TripCount trips) {
      thread = parameters.getThreadIndex();
      count = trips;
    }

    /** The trips of all threads, told by the first. */
    public long trips() {
      return thread == 0 ? count.trips : 0;
    }

    /** Returns how long the iteration took, told by the first thread. */
    public long nanos() {
      return thread == 0 ? count.nanos : 0;
    }

    /** The median of calls in flight, in nanoseconds, told by the first thread; else 0. */
    public long p50Nanos() {
      return thread == 0 ? count.percentile(50) : 0;
    }

    /** Of a hundred such calls the slowest. */
    public long p99Nanos() {
      return thread == 0 ? count.percentile(99) : 0;
    }

    /** Of a thousand such calls the slowest. */
    public long p999Nanos() {
      return thread == 0 ? count.percentile(99.9) : 0;
    }

    private SubjectSequence through(SubjectWorkload workload) {
      return sequences.computeIfAbsent(workload, each -> new SubjectSequence(each, thread));
    }
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return call.test(caller.through(asked));
  }
}
