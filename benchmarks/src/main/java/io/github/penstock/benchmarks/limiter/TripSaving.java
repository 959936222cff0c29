package io.github.penstock.benchmarks.limiter;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.proxy.RemoteAsyncBucketBuilder;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.NopeOptimizationListener;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.distributed.proxy.optimization.skiponzero.SkipSyncOnZeroOptimization;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * The ways to decide about one subject that is asked for very often, with and without a trip to the
 * server for each decision: the token bucket's, and Bucket4j's with its own optimisations.
 */
public enum TripSaving implements BenchmarkCandidate {
  ASKED("Penstock, asked", false, "nothing"),
  /** Denials are remembered, as they are by default. */
  REMEMBERED(
      "Penstock, remembered",
      false,
      "units that come back by a way that this process cannot see are seen 100 ms later"),
  /** Calls share trips, as they do by default. */
  SHARED("Penstock, shared trips", false, "nothing"),
  /** Leases of at most 10 units. */
  LEASED_10(
      "Penstock, leases of 10",
      false,
      "any interval may admit what refills in 500 ms more; others may be denied the 10 units"
          + " meanwhile"),
  /** Leases of at most 100 units. */
  LEASED_100(
      "Penstock, leases of 100",
      false,
      "any interval may admit what refills in 500 ms more; others may be denied the 100 units"
          + " meanwhile"),
  /** Bucket4j without its optimisations. */
  BUCKET4J("Bucket4j", true, "nothing"),
  /** Bucket4j with {@link SkipSyncOnZeroOptimization}. */
  SKIP_ON_ZERO(
      "Bucket4j, skip on zero",
      true,
      "units that come back by a way that this process cannot see are not seen before its own copy"
          + " refills"),
  /** Bucket4j with {@link Optimizations#batching()}. */
  BATCHING("Bucket4j, batching", true, "nothing, but that calls wait for each other"),
  /** Bucket4j with {@link Optimizations#delaying}: 100 tokens, 500 ms. */
  DELAYING(
      "Bucket4j, delaying",
      true,
      "each process may admit 100 units more than there are, and charges them afterwards");

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A capacity that no benchmark uses up, even without trips; it refills within 100 years. */
  private static final long AMPLE = 3_000_000_000L;

  private static final Duration LEASE_AT_MOST = Duration.ofMillis(500);
  private static final Set<TripSaving> ANY = Set.of(ASKED, BUCKET4J);
  private static final Set<TripSaving> DENIALS = Set.of(REMEMBERED, SKIP_ON_ZERO);
  private final String title;
  private final boolean sendsGets;
  private final String givesUp;

  TripSaving(String title, boolean sendsGets, String givesUp) {
    this.title = title;
    this.sendsGets = sendsGets;
    this.givesUp = givesUp;
  }

  @Override
  public String title() {
    return title;
  }

  public String givesUp() {
    return givesUp;
  }

  @Override
  public boolean sendsGets() {
    return sendsGets;
  }

  /**
   * Those that are about one denied subject, or about one that is allowed; those that ask, both.
   */
  public static List<TripSaving> about(SubjectWorkload workload) {
    return Arrays.stream(values()).filter(each -> each.isAbout(workload)).toList();
  }

  private boolean isAbout(SubjectWorkload workload) {
    return switch (workload) {
      case EXHAUSTED -> ANY.contains(this) || DENIALS.contains(this);
      case ALLOWED, HOT -> !DENIALS.contains(this);
      case DENIED, MIXED -> false;
    };
  }

  @Override
  public LimiterUnderTest on(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    if (!isAbout(workload)) {
      throw new UnsupportedOperationException(title + " is not about " + workload);
    }
    return switch (this) {
      case ASKED -> penstock(session.limiters(), workload, 0);
      case REMEMBERED, SHARED -> penstock(session.nearLimiters(), workload, 0);
      case LEASED_10 -> penstock(session.nearLimiters(), workload, 10);
      case LEASED_100 -> penstock(session.nearLimiters(), workload, 100);
      case BUCKET4J -> bucket4j(session, target, workload, Optimization.NONE_OPTIMIZED);
      case SKIP_ON_ZERO ->
          bucket4j(
              session,
              target,
              workload,
              new SkipSyncOnZeroOptimization(
                  NopeOptimizationListener.INSTANCE, TimeMeter.SYSTEM_MILLISECONDS));
      case BATCHING -> bucket4j(session, target, workload, Optimizations.batching());
      case DELAYING ->
          bucket4j(
              session,
              target,
              workload,
              Optimizations.delaying(new DelayParameters(100, LEASE_AT_MOST)));
    };
  }

  /**
   * The calls of {@link ClosedLoop}: those of the blocking styles have ended when they return.
   *
   * @throws UnsupportedOperationException if it has no stages, here or with the client
   */
  public IntFunction<CompletionStage<?>> calls(
      ClientSession session, BenchmarkTarget target, CallStyle style, SubjectWorkload workload) {
    if (style != CallStyle.STAGES) {
      LimiterUnderTest limiter = LimiterFactory.prepared(on(session, target, workload), workload);
      return subject -> {
        limiter.decide(subject);
        return ClosedLoop.BLOCKED;
      };
    }
    return switch (this) {
      case ASKED -> stages(session.limiters(), workload);
      case SHARED -> stages(session.nearLimiters(), workload);
      case BUCKET4J -> bucket4jStages(session, target, workload, Optimization.NONE_OPTIMIZED);
      case BATCHING -> bucket4jStages(session, target, workload, Optimizations.batching());
      default -> throw new UnsupportedOperationException(title + " is not measured with stages");
    };
  }

  private IntFunction<CompletionStage<?>> stages(RateLimiters limiters, SubjectWorkload workload) {
    if (!(limiters instanceof AsyncRateLimiters asynchronous)) {
      throw new UnsupportedOperationException("this client is not asynchronous");
    }
    AsyncRateLimiter limiter = asynchronous.asyncLimiter(key(workload), limit(workload));
    return subject -> limiter.tryAcquire(SubjectWorkload.name(subject));
  }

  private IntFunction<CompletionStage<?>> bucket4jStages(
      ClientSession session,
      BenchmarkTarget target,
      SubjectWorkload workload,
      Optimization optimization) {
    RemoteAsyncBucketBuilder<String> builder =
        session.raw().bucket4j().asAsync().builder().withOptimization(optimization);
    AsyncBucketProxy[] proxies = new AsyncBucketProxy[workload.subjects()];
    BucketConfiguration bucket = LimiterFactory.bucket(AMPLE, SECOND);
    Arrays.setAll(
        proxies,
        subject ->
            builder.build(
                target.key(key(workload), subject),
                () -> CompletableFuture.completedFuture(bucket)));
    return subject -> proxies[subject].tryConsumeAndReturnRemaining(1);
  }

  private static Limit limit(SubjectWorkload workload) {
    return workload.denied(0)
        ? TokenBucket.of(1).refill(1, DAY)
        : TokenBucket.of(AMPLE).refill(1, SECOND);
  }

  private LimiterUnderTest penstock(RateLimiters limiters, SubjectWorkload workload, long lease) {
    Limit limit = limit(workload);
    String policy = key(workload);
    RateLimiter limiter =
        lease == 0
            ? limiters.limiter(policy, limit)
            : limiters.limiter(policy, limit, new LeaseTerms(lease, LEASE_AT_MOST));
    return subject -> limiter.tryAcquire(SubjectWorkload.name(subject)).allowed();
  }

  private LimiterUnderTest bucket4j(
      ClientSession session,
      BenchmarkTarget target,
      SubjectWorkload workload,
      Optimization optimization) {
    return LimiterFactory.bucket4j(
        session.raw().bucket4j().builder().withOptimization(optimization),
        LimiterFactory.bucket(AMPLE, SECOND),
        workload,
        subject -> target.key(key(workload), subject));
  }

  /* Separate keys, because a lease and a call to the server must not take from one bucket. */
  private String key(SubjectWorkload workload) {
    return (name() + "-" + workload).toLowerCase(Locale.ROOT);
  }
}
