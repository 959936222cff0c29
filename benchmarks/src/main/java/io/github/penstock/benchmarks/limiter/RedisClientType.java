package io.github.penstock.benchmarks.limiter;

/** The Redis clients. */
public enum RedisClientType {
  JEDIS("Jedis", false) {
    @Override
    public ClientSession open(BenchmarkTarget target) {
      return new JedisSession(target);
    }
  },
  LETTUCE("Lettuce", true) {
    @Override
    public ClientSession open(BenchmarkTarget target) {
      return new LettuceSession(target);
    }
  },
  REDISSON("Redisson", true) {
    @Override
    public ClientSession open(BenchmarkTarget target) {
      return new RedissonSession(target);
    }
  };

  private final String title;
  private final boolean asynchronous;

  RedisClientType(String title, boolean asynchronous) {
    this.title = title;
    this.asynchronous = asynchronous;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Whether it is asynchronous by itself. */
  public boolean asynchronous() {
    return asynchronous;
  }

  /** Connects to a single server; the caller closes it. */
  public abstract ClientSession open(BenchmarkTarget target);
}
