package io.github.penstock.benchmarks.jmh;

import io.github.bucket4j.Bucket;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.local.LocalRateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does a decision in memory take, and how much does it allocate, compared with reading the
 * clock and with Bucket4j's local bucket, which needs no lookup of a subject?
 *
 * <pre>{@code
 * ./penstock jmh LocalBenchmark -prof gc
 * }</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@Threads(1)
public class LocalBenchmark {
  private static final long UNITS = 1_000_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final LocalRateLimiters limiters = LocalRateLimiters.create();
  private final RateLimiter bucket = limiter(LimitKind.TOKEN_BUCKET);
  private final RateLimiter window = limiter(LimitKind.FIXED_WINDOW);
  private final RateLimiter sliding = limiter(LimitKind.SLIDING_WINDOW);
  private final Bucket theirs =
      Bucket.builder().addLimit(limit -> limit.capacity(UNITS).refillGreedy(UNITS, SECOND)).build();

  private RateLimiter limiter(LimitKind kind) {
    return limiters.limiter(
        kind.name(), Limit.of(kind, List.of(LimitTier.of(UNITS, UNITS, SECOND))));
  }

  @Benchmark
  public long clock() {
    return System.nanoTime();
  }

  @Benchmark
  public Decision tokenBucket() {
    return bucket.tryAcquire("user:42");
  }

  @Benchmark
  public Decision fixedWindow() {
    return window.tryAcquire("user:42");
  }

  @Benchmark
  public Decision slidingWindow() {
    return sliding.tryAcquire("user:42");
  }

  @Benchmark
  public boolean bucket4j() {
    return theirs.tryConsume(1);
  }

  @Benchmark
  public Object bucket4jWithRemaining() {
    return theirs.tryConsumeAndReturnRemaining(1);
  }
}
