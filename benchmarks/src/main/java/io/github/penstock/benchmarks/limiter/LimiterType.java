package io.github.penstock.benchmarks.limiter;

import java.util.Arrays;
import java.util.List;

/** The limiters that are compared, each set up as its documentation says. */
public enum LimiterType implements BenchmarkCandidate {
  PENSTOCK("Penstock", PenstockAlgorithm.TOKEN_BUCKET::on),
  /** Bucket4j: compare and swap, the client's clock. */
  BUCKET4J("Bucket4j", LimiterFactory::bucket4j),
  RRATE_LIMITER("RRateLimiter", LimiterFactory::rateLimiter),
  /** The script of Spring Cloud Gateway's RequestRateLimiter, called as a raw script. */
  SPRING_GATEWAY("Spring Cloud Gateway's script", GatewayScript::limiter);

  private final String title;
  private final Factory factory;

  @FunctionalInterface
  private interface Factory {
    LimiterUnderTest on(ClientSession session, BenchmarkTarget target, SubjectWorkload workload);
  }

  LimiterType(String title, Factory factory) {
    this.title = title;
    this.factory = factory;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public boolean sendsGets() {
    return this == BUCKET4J;
  }

  @Override
  public LimiterUnderTest on(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    return factory.on(session, target, workload);
  }

  /** Those that are not Penstock and can be used with a client. */
  public static List<LimiterType> peers(RedisClientType client) {
    return Arrays.stream(values())
        .filter(limiter -> limiter != PENSTOCK && limiter.cannot(client).isEmpty())
        .toList();
  }

  /** Why it cannot be used with a client, empty if it can. */
  public String cannot(RedisClientType client) {
    if (this == RRATE_LIMITER && client != RedisClientType.REDISSON) {
      return "needs Redisson";
    }
    return this == BUCKET4J && client == RedisClientType.GLIDE ? "has no module for GLIDE" : "";
  }
}
