package io.github.penstock.benchmarks.limiter;

import java.util.function.Function;

public enum RedisClientType {
  JEDIS("Jedis", false, JedisSession::new),
  LETTUCE("Lettuce", true, LettuceSession::new),
  REDISSON("Redisson", true, RedissonSession::new),
  GLIDE("GLIDE", true, GlideSession::new);

  private final String title;
  private final boolean asynchronous;
  private final Function<BenchmarkTarget, ClientSession> connecting;

  RedisClientType(
      String title, boolean asynchronous, Function<BenchmarkTarget, ClientSession> connecting) {
    this.title = title;
    this.asynchronous = asynchronous;
    this.connecting = connecting;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Returns whether it is asynchronous by itself. */
  public boolean asynchronous() {
    return asynchronous;
  }

  /** Connects to a single server; the caller closes it. */
  public ClientSession open(BenchmarkTarget target) {
    return connecting.apply(target);
  }
}
