package io.github.penstock.benchmarks.limiter;

import java.util.Arrays;
import java.util.List;

/** The limiters that are compared, each set up as its documentation says. */
public enum LimiterType implements BenchmarkCandidate {
  /** Penstock's token bucket. */
  PENSTOCK("Penstock") {
    @Override
    public LimiterUnderTest on(
        ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
      return PenstockAlgorithm.TOKEN_BUCKET.on(session, target, workload);
    }
  },
  /** Bucket4j: compare and swap, the client's clock. */
  BUCKET4J("Bucket4j") {
    @Override
    public LimiterUnderTest on(
        ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
      return LimiterFactory.bucket4j(session.bucket4j(), target, workload);
    }
  },
  /** Redisson's RRateLimiter. */
  RRATE_LIMITER("RRateLimiter") {
    @Override
    public String cannot(RedisClientType client) {
      return client == RedisClientType.REDISSON ? "" : "part of Redisson";
    }

    @Override
    public LimiterUnderTest on(
        ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
      return LimiterFactory.rateLimiter((RedissonSession) session, target, workload);
    }
  },
  /** The script of Spring Cloud Gateway's RequestRateLimiter, called as a raw script. */
  SPRING_GATEWAY("Spring Cloud Gateway's script") {
    @Override
    public String shortTitle() {
      return "Spring Gateway";
    }

    @Override
    public LimiterUnderTest on(
        ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
      return GatewayScript.limiter(session, target, workload);
    }
  };

  private final String title;

  LimiterType(String title) {
    this.title = title;
  }

  @Override
  public String title() {
    return title;
  }

  /** Those that are not Penstock and can be used with a client. */
  public static List<LimiterType> peers(RedisClientType client) {
    return Arrays.stream(values())
        .filter(limiter -> limiter != PENSTOCK && limiter.cannot(client).isEmpty())
        .toList();
  }

  /** Why it cannot be used with a client, empty if it can. */
  public String cannot(RedisClientType client) {
    return "";
  }
}
