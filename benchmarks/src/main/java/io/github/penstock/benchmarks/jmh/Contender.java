package io.github.penstock.benchmarks.jmh;

/** The limiters that are compared, each set up as its documentation says. */
public enum Contender {
  /** Penstock's token bucket. */
  PENSTOCK("Penstock") {
    @Override
    public Decider on(Session session, Target target, Workload workload) {
      return Deciders.penstock(session.limiters(), Algorithm.TOKEN_BUCKET, workload, 1);
    }
  },
  /** Bucket4j: compare and swap, the client's clock. */
  BUCKET4J("Bucket4j") {
    @Override
    public Decider on(Session session, Target target, Workload workload) {
      return Deciders.bucket4j(session.bucket4j(), target, workload);
    }
  },
  /** Redisson's RRateLimiter. */
  RRATE_LIMITER("RRateLimiter") {
    @Override
    public String cannot(Client client) {
      return client == Client.REDISSON ? "" : "part of Redisson";
    }

    @Override
    public Decider on(Session session, Target target, Workload workload) {
      return Deciders.rateLimiter((RedissonSession) session, target, workload);
    }
  },
  /** The script of Spring Cloud Gateway's RequestRateLimiter, called as a raw script. */
  SPRING_GATEWAY("Spring Cloud Gateway's script") {
    @Override
    public Decider on(Session session, Target target, Workload workload) {
      return GatewayScript.decider(session, target, workload);
    }
  };

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Why it cannot be used with a client, empty if it can. */
  public String cannot(Client client) {
    return "";
  }

  /** The limiter on a client, for a workload's subjects. */
  public abstract Decider on(Session session, Target target, Workload workload);
}
