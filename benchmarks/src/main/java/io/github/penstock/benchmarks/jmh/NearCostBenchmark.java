package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How much does a call cost that remembering denials does not help: an allowed one?
 *
 * <p>Without a server, so that nothing is left but our own share. As many other subjects were
 * denied before, so that there is a table, as full as it gets.
 *
 * <pre>{@code
 * ./penstock jmh NearCostBenchmark -prof gc
 * ./penstock jmh NearCostBenchmark -prof gc -t 8 -p subjects=10000
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@Threads(1)
public class NearCostBenchmark {
  @Param({"10000", "1000000"})
  public int subjects = 10_000;

  /** For how long denials are remembered; or several such times, interleaved. */
  @Param({"PT0S", "PT0.1S"})
  public String remembered = "";

  private final List<RateLimiter> limiters = new ArrayList<>();
  private String[] names = {};
  private RateLimiter limiter;
  private int iterations;

  @Setup
  public void open() {
    names = new String[subjects];
    Arrays.setAll(
        names, subject -> SubjectWorkload.name(subject % 10_000) + "/" + subject / 10_000);
    for (String each : remembered.split(CaseGroup.SEPARATOR)) {
      limiters.add(limiter(Duration.parse(each)));
    }
    limiter = limiters.get(0);
  }

  private RateLimiter limiter(Duration remembering) {
    PromptLimiters prompt =
        PromptLimiters.of(RateLimiterOptions.builder().rememberDenials(remembering).build());
    Limit limit = TokenBucket.of(100).refill(10, Duration.ofSeconds(1));
    RateLimiter shut = prompt.limiter("shut", limit);
    prompt.allow(false);
    for (String name : names) {
      shut.tryAcquire(name);
    }
    prompt.allow(true);
    return prompt.limiter("open", limit);
  }

  /** Begins the iteration of the next of them. */
  @Setup(Level.Iteration)
  public void next() {
    limiter = limiters.get(iterations++ % limiters.size());
  }

  /** A thread's way through the subjects, round and round. */
  @State(Scope.Thread)
  public static class SubjectCursor {
    private int next;

    int next(int below) {
      next = next + 1 < below ? next + 1 : 0;
      return next;
    }
  }

  @Benchmark
  public boolean decide(SubjectCursor cursor) {
    return limiter.tryAcquire(names[cursor.next(names.length)]).allowed();
  }
}
