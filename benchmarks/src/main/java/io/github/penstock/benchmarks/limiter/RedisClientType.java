package io.github.penstock.benchmarks.limiter;

import java.util.function.Function;

public enum RedisClientType {
  JEDIS("Jedis", false, RawJedis::new),
  LETTUCE("Lettuce", true, RawLettuce::new),
  REDISSON("Redisson", true, RawRedisson::new),
  GLIDE("GLIDE", true, RawGlide::new);

  private final String title;
  private final boolean asynchronous;
  private final Function<BenchmarkTarget, RawClient> connecting;

  RedisClientType(
      String title, boolean asynchronous, Function<BenchmarkTarget, RawClient> connecting) {
    this.title = title;
    this.asynchronous = asynchronous;
    this.connecting = connecting;
  }

  public String title() {
    return title;
  }

  public boolean asynchronous() {
    return asynchronous;
  }

  /** Connects to a single server; the caller closes it. */
  public ClientSession open(BenchmarkTarget target) {
    return new ClientSession(connecting.apply(target), target);
  }
}
