package io.github.penstock.benchmarks.jmh;

/** The Redis clients. */
public enum Client {
  JEDIS("Jedis", false) {
    @Override
    public Session open(Target target) {
      return new JedisSession(target);
    }
  },
  LETTUCE("Lettuce", true) {
    @Override
    public Session open(Target target) {
      return new LettuceSession(target);
    }
  },
  REDISSON("Redisson", true) {
    @Override
    public Session open(Target target) {
      return new RedissonSession(target);
    }
  };

  private final String title;
  private final boolean asynchronous;

  Client(String title, boolean asynchronous) {
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
  public abstract Session open(Target target);
}
