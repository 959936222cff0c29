package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How much does a call cost that remembering denials and sharing trips do not help: an allowed one?
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

  /** For how long denials are remembered. */
  @Param({"PT0S", "PT0.1S"})
  public String remembered = "";

  /** Whether calls share trips; those of one thread have one each. */
  @Param({"false", "true"})
  public boolean shared;

  private String[] names = {};
  private RateLimiter limiter;

  @Setup
  public void open() {
    names = new String[subjects];
    Arrays.setAll(
        names, subject -> SubjectWorkload.name(subject % 10_000) + "/" + subject / 10_000);
    limiter = limiter(Duration.parse(remembered));
  }

  private RateLimiter limiter(Duration remembering) {
    PromptTransport transport = new PromptTransport();
    Limit limit = TokenBucket.of(100).refill(10, Duration.ofSeconds(1));
    RateLimiterOptions options =
        RateLimiterOptions.builder().rememberDenials(remembering).shareTrips(shared).build();
    RateLimiters limiters = new TransportRateLimiters(transport, options, () -> {}) {};
    RateLimiter shut = limiters.limiter("shut", limit);
    transport.answer = PromptTransport.DENIED;
    for (String name : names) {
      shut.tryAcquire(name);
    }
    transport.answer = PromptTransport.ALLOWED;
    return limiters.limiter("open", limit);
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

  /**
   * Answers every call alike, immediately and without a server: the remaining cost of a call is the
   * share of {@code client-core}.
   */
  private static final class PromptTransport implements ScriptTransport {
    private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
    private static final List<Long> DENIED = List.of(0L, 100L, 0L, 1_000_000L, 1_000_000L, 1L);
    private volatile List<Long> answer = ALLOWED;

    @Override
    public CompletionStage<?> send(ScriptCall call) {
      return CompletableFuture.completedFuture(answer);
    }

    @Override
    public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException("there is no server");
    }
  }
}
