package io.github.penstock.benchmarks.limiter;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.RemoteBucketBuilder;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.function.IntFunction;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;

/** Makes the limiters of a workload: one that is never reached, one that is always. */
public final class LimiterFactory {
  private LimiterFactory() {}

  /** One of Penstock's algorithms. */
  public static LimiterUnderTest penstock(
      RateLimiters limiters, PenstockAlgorithm algorithm, SubjectWorkload workload, int tiers) {
    RateLimiter generous = limiters.limiter("open", algorithm.generous(tiers));
    RateLimiter exhausted = limiters.limiter("shut", algorithm.exhausted(tiers));
    return subject ->
        (workload.denied(subject) ? exhausted : generous)
            .tryAcquire(SubjectWorkload.name(subject))
            .allowed();
  }

  /** Bucket4j without its optimisations. */
  static LimiterUnderTest bucket4j(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    return bucket4j(
        session.raw().bucket4j().builder(),
        bucket(PenstockAlgorithm.PLENTY, PenstockAlgorithm.REFILL),
        workload,
        i -> target.key(workload.denied(i) ? "b4j-shut" : "b4j-open", i));
  }

  /*
   * A proxy per key, created once, and the call that returns the remaining units and the wait, like
   * Penstock's. Configurations are given as the documentation's examples give them.
   */
  static LimiterUnderTest bucket4j(
      RemoteBucketBuilder<String> builder,
      BucketConfiguration generous,
      SubjectWorkload workload,
      IntFunction<String> keys) {
    BucketConfiguration exhausted = bucket(1, Duration.ofDays(1));
    BucketProxy[] proxies = new BucketProxy[workload.subjects()];
    for (int i = 0; i < proxies.length; i++) {
      BucketConfiguration configuration = workload.denied(i) ? exhausted : generous;
      proxies[i] = builder.build(keys.apply(i), () -> configuration);
    }
    return subject -> proxies[subject].tryConsumeAndReturnRemaining(1).isConsumed();
  }

  /** Bucket4j's bucket of that capacity, which gains one token in each period. */
  static BucketConfiguration bucket(long capacity, Duration period) {
    return BucketConfiguration.builder()
        .addLimit(limit -> limit.capacity(capacity).refillGreedy(1, period))
        .build();
  }

  /*
   * It counts permits within an interval and keeps an entry for each, so the interval is a second:
   * with a longer one its memory grows for as long as the benchmark runs.
   */
  static LimiterUnderTest rateLimiter(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    RawRedisson redisson = (RawRedisson) session.raw();
    RRateLimiter[] limiters = new RRateLimiter[workload.subjects()];
    for (int i = 0; i < limiters.length; i++) {
      limiters[i] =
          redisson.rateLimiter(target.key(workload.denied(i) ? "rrl-shut" : "rrl-open", i));
      if (workload.denied(i)) {
        limiters[i].trySetRate(RateType.OVERALL, 1, Duration.ofDays(1));
      } else {
        limiters[i].trySetRate(RateType.OVERALL, PenstockAlgorithm.PLENTY, Duration.ofSeconds(1));
      }
    }
    return subject -> limiters[subject].tryAcquire();
  }

  /**
   * Uses up the limits that should deny, and checks that the limiter then shows the measured
   * behaviour.
   */
  public static LimiterUnderTest prepared(LimiterUnderTest limiter, SubjectWorkload workload) {
    for (int subject = 0; subject < workload.subjects(); subject++) {
      if (workload.denied(subject)) {
        limiter.decide(subject);
      }
    }
    for (int subject = 0; subject < Math.min(10, workload.subjects()); subject++) {
      if (limiter.decide(subject) == workload.denied(subject)) {
        String rule = workload.denied(subject) ? " must not be allowed" : " must be allowed";
        throw new IllegalStateException(workload + ": subject " + subject + rule);
      }
    }
    return limiter;
  }
}
