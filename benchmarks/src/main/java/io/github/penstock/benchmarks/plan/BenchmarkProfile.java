package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.options.TimeValue;

/** How much is measured, and how long. */
public enum BenchmarkProfile {
  /** Enough for an answer, about 7 minutes on two processors. */
  QUICK(3, 8, 100, 4, 800),
  /** Everything, in about two hours. */
  FULL(3, 12, 1_000, 25, 8_000);

  /** How many threads ask unless a case is about their number. */
  public static final int THREADS = 8;

  public static final int MANY_THREADS = 64;

  private static final int WARM_MILLIS = 400;
  private static final List<CasePattern> CASES = CasePattern.all();
  private static final List<SubjectWorkload> PEER_WORKLOADS =
      List.of(SubjectWorkload.ALLOWED, SubjectWorkload.EXHAUSTED, SubjectWorkload.HOT);
  private final int warmups;
  private final int iterations;
  private final int millis;
  private final int rounds;
  private final int decisions;

  BenchmarkProfile(int warmups, int iterations, int millis, int rounds, int decisions) {
    this.warmups = warmups;
    this.iterations = iterations;
    this.millis = millis;
    this.rounds = rounds;
    this.decisions = decisions;
  }

  /** The cases that are measured through clients, in order. */
  public List<BenchmarkCase> cases(List<RedisClientType> clients) {
    return clients.stream()
        .flatMap(client -> CASES.stream().flatMap(each -> each.cases(this, client)))
        .toList();
  }

  /** The limiters whose use of the server is measured, in order. */
  public List<ServerCase> serverCases(List<RedisClientType> clients) {
    List<ServerCase> cases = new ArrayList<>();
    for (SubjectWorkload workload : PEER_WORKLOADS) {
      for (RedisClientType client : clients) {
        boolean all = this == FULL || client == clients.get(0);
        for (BenchmarkCandidate each : limiters(client)) {
          if (all ? isOfInterest(each, workload) : isOnlyHere(each, client, workload)) {
            cases.add(new ServerCase(each, client, workload));
          }
        }
      }
    }
    return cases;
  }

  private static List<BenchmarkCandidate> limiters(RedisClientType client) {
    List<BenchmarkCandidate> limiters = new ArrayList<>(PenstockAlgorithm.all());
    limiters.addAll(LimiterType.peers(client));
    return limiters;
  }

  private static boolean isOfInterest(BenchmarkCandidate limiter, SubjectWorkload workload) {
    return workload != SubjectWorkload.HOT
        || limiter instanceof LimiterType
        || limiter == PenstockAlgorithm.TOKEN_BUCKET;
  }

  /*
   * One client is enough for cases that exist on each, except for the token bucket, by which the
   * clients are compared.
   */
  private static boolean isOnlyHere(
      BenchmarkCandidate limiter, RedisClientType client, SubjectWorkload workload) {
    return limiter == LimiterType.RRATE_LIMITER
        || limiter == PenstockAlgorithm.TOKEN_BUCKET
            && (client == RedisClientType.REDISSON || workload != SubjectWorkload.EXHAUSTED);
  }

  /** Returns how many iterations each has before it is measured. */
  public int warmups() {
    return warmups;
  }

  /** In how many iterations each is measured. */
  public int iterations() {
    return iterations;
  }

  /** Returns how long an iteration takes among many. */
  public TimeValue iterationTime() {
    return TimeValue.milliseconds(millis);
  }

  /**
   * Returns the length of an iteration in a group: longer if the group has so few cases that their
   * JVM would stay cold.
   */
  public TimeValue iterationTime(CaseGroup group) {
    return group.asynchronous() ? timeInFlight() : iterationTime();
  }

  /** Returns how long an iteration takes of one thread that never waits. */
  public TimeValue timeInFlight() {
    return TimeValue.milliseconds(Math.max(millis, WARM_MILLIS));
  }

  /** Returns how often each script is measured; the best counts. */
  public int rounds() {
    return rounds;
  }

  /** Returns how many decisions a measurement on the server is made of. */
  public int decisions() {
    return decisions;
  }
}
