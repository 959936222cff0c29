package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.options.TimeValue;

/** How much is measured, and how long. */
public enum BenchmarkProfile {
  /** Enough for an answer, about 6 minutes on two processors. */
  QUICK(3, 8, 100, 4, 800),
  /** Everything, in about two hours. */
  FULL(3, 12, 1_000, 25, 8_000);

  /** How many threads ask unless a case is about their number. */
  public static final int THREADS = 8;

  public static final int MANY_THREADS = 64;

  private static final int WARM_MILLIS = 400;
  private static final List<SubjectWorkload> PEER_WORKLOADS =
      List.of(SubjectWorkload.ALLOWED, SubjectWorkload.EXHAUSTED, SubjectWorkload.HOT);
  private final int warmups;
  private final int turns;
  private final int millis;
  private final int rounds;
  private final int decisions;

  BenchmarkProfile(int warmups, int turns, int millis, int rounds, int decisions) {
    this.warmups = warmups;
    this.turns = turns;
    this.millis = millis;
    this.rounds = rounds;
    this.decisions = decisions;
  }

  /** The cases that are measured through clients, in order. */
  public List<BenchmarkCase> cases(List<RedisClientType> clients) {
    List<BenchmarkCase> cases = new ArrayList<>();
    for (RedisClientType client : clients) {
      if (this == FULL) {
        for (int threads : new int[] {THREADS, MANY_THREADS, 1}) {
          everything(cases, client, threads);
        }
      } else {
        essentials(cases, client);
      }
      PEER_WORKLOADS.forEach(workload -> peers(cases, client, workload, THREADS));
      peers(cases, client, SubjectWorkload.HOT, MANY_THREADS);
      together(cases, client);
      near(cases, client, THREADS);
      near(cases, client, MANY_THREADS);
    }
    return cases;
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
   * One client is enough for what exists on each, except for the token bucket, by which the clients
   * are compared.
   */
  private static boolean isOnlyHere(
      BenchmarkCandidate limiter, RedisClientType client, SubjectWorkload workload) {
    return limiter == LimiterType.RRATE_LIMITER
        || limiter == PenstockAlgorithm.TOKEN_BUCKET
            && (client == RedisClientType.REDISSON || workload != SubjectWorkload.EXHAUSTED);
  }

  private static void essentials(List<BenchmarkCase> cases, RedisClientType client) {
    for (FloorCall floor : FloorCall.values()) {
      if (floor != FloorCall.SAME_COMMANDS_MIXED) {
        cases.add(BenchmarkCase.floor(client, floor, THREADS));
      }
    }
    for (PenstockAlgorithm each : PenstockAlgorithm.all()) {
      cases.add(BenchmarkCase.algorithm(client, each, SubjectWorkload.ALLOWED, 1, THREADS));
    }
    cases.add(BenchmarkCase.floor(client, FloorCall.SAME_COMMANDS, MANY_THREADS));
    cases.add(BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, MANY_THREADS));
  }

  private static void everything(List<BenchmarkCase> cases, RedisClientType client, int threads) {
    for (FloorCall floor : FloorCall.values()) {
      cases.add(BenchmarkCase.floor(client, floor, threads));
    }
    for (PenstockAlgorithm each : PenstockAlgorithm.all()) {
      for (SubjectWorkload workload :
          List.of(SubjectWorkload.ALLOWED, SubjectWorkload.DENIED, SubjectWorkload.MIXED)) {
        cases.add(BenchmarkCase.algorithm(client, each, workload, 1, threads));
        cases.add(BenchmarkCase.algorithm(client, each, workload, 3, threads));
      }
    }
  }

  /* The quick profile takes the Gateway's script on one client, and beside 64 threads Bucket4j only. */
  private void peers(
      List<BenchmarkCase> cases, RedisClientType client, SubjectWorkload workload, int threads) {
    if (workload != SubjectWorkload.ALLOWED) {
      cases.add(BenchmarkCase.bucket(client, workload, threads));
    }
    for (LimiterType peer : LimiterType.peers(client)) {
      boolean quick =
          threads == MANY_THREADS
              ? peer == LimiterType.BUCKET4J
              : peer != LimiterType.SPRING_GATEWAY || client == RedisClientType.LETTUCE;
      if (quick || this == FULL) {
        cases.add(BenchmarkCase.peer(client, peer, workload, threads));
      }
    }
  }

  private static void near(List<BenchmarkCase> cases, RedisClientType client, int threads) {
    for (SubjectWorkload workload : List.of(SubjectWorkload.EXHAUSTED, SubjectWorkload.HOT)) {
      for (TripSaving each : TripSaving.about(workload)) {
        cases.add(BenchmarkCase.near(client, each, workload, threads));
      }
    }
  }

  private void together(List<BenchmarkCase> cases, RedisClientType client) {
    List<BenchmarkCandidate> asked =
        new ArrayList<>(
            List.of(
                PenstockAlgorithm.TOKEN_BUCKET, FloorCall.SAME_COMMANDS, FloorCall.TOKEN_BUCKET));
    if (this == FULL) {
      PenstockAlgorithm.all().stream()
          .filter(algorithm -> !asked.contains(algorithm))
          .forEach(asked::add);
    }
    asked.forEach(each -> cases.add(BenchmarkCase.batch(client, each, THREADS)));
    if (client.asynchronous()) {
      asked.forEach(each -> cases.add(BenchmarkCase.async(client, each)));
    }
  }

  /** Returns how many turns each has before it is measured. */
  public int warmups() {
    return warmups;
  }

  /** In how many turns each is measured. */
  public int turns() {
    return turns;
  }

  /** Returns how long a turn takes among many. */
  public TimeValue turn() {
    return TimeValue.milliseconds(millis);
  }

  /**
   * Returns how long a turn takes in a group: longer where so few take turns that their JVM would
   * stay cold.
   */
  public TimeValue turn(CaseGroup group) {
    return group.asynchronous() ? turnInFlight() : turn();
  }

  /** Returns how long a turn takes of one thread that never waits. */
  public TimeValue turnInFlight() {
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
