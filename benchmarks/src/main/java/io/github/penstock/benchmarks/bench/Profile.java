package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Callee;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.openjdk.jmh.runner.options.TimeValue;

/** How much is measured, and how long. */
enum Profile {
  /** What is needed for an answer, under 5 minutes on two processors. */
  QUICK(3, 8, 100, 4, 800) {
    @Override
    List<Case> cases(List<Client> clients) {
      List<Case> cases = new ArrayList<>();
      for (Client client : clients) {
        for (Floor floor : EnumSet.complementOf(EnumSet.of(Floor.SAME_COMMANDS_MIXED))) {
          cases.add(Case.floor(client, floor, THREADS));
        }
        for (Algorithm algorithm : Algorithm.values()) {
          cases.add(Case.algorithm(client, algorithm, Workload.ALLOWED, 1, THREADS));
        }
        peers(cases, client);
        batch(cases, client, Algorithm.TOKEN_BUCKET);
        async(cases, client, Algorithm.TOKEN_BUCKET);
        crowd(cases, client);
      }
      return cases;
    }

    private void crowd(List<Case> cases, Client client) {
      cases.add(Case.floor(client, Floor.SAME_COMMANDS, MANY_THREADS));
      cases.add(Case.algorithm(client, Algorithm.TOKEN_BUCKET, Workload.ALLOWED, 1, MANY_THREADS));
      cases.add(Case.algorithm(client, Algorithm.TOKEN_BUCKET, Workload.HOT, 1, MANY_THREADS));
      cases.add(Case.peer(client, Contender.BUCKET4J, Workload.HOT, MANY_THREADS));
    }

    private void peers(List<Case> cases, Client client) {
      cases.add(Case.algorithm(client, Algorithm.TOKEN_BUCKET, Workload.EXHAUSTED, 1, THREADS));
      cases.add(Case.algorithm(client, Algorithm.TOKEN_BUCKET, Workload.HOT, 1, THREADS));
      for (Workload workload : PEERS) {
        cases.add(Case.peer(client, Contender.BUCKET4J, workload, THREADS));
        if (client == Client.REDISSON) {
          cases.add(Case.peer(client, Contender.RRATE_LIMITER, workload, THREADS));
        }
        if (client == Client.LETTUCE) {
          cases.add(Case.peer(client, Contender.SPRING_GATEWAY, workload, THREADS));
        }
      }
    }
  },

  /** Everything, in about an hour and a half. */
  FULL(3, 12, 1_000, 25, 8_000) {
    @Override
    List<Case> cases(List<Client> clients) {
      List<Case> cases = new ArrayList<>();
      for (Client client : clients) {
        for (int threads : new int[] {THREADS, MANY_THREADS, 1}) {
          for (Floor floor : Floor.values()) {
            cases.add(Case.floor(client, floor, threads));
          }
          algorithms(cases, client, threads);
        }
        peers(cases, client);
        for (Algorithm algorithm : Algorithm.values()) {
          batch(cases, client, algorithm);
          async(cases, client, algorithm);
        }
      }
      return cases;
    }

    private void algorithms(List<Case> cases, Client client, int threads) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Workload workload : List.of(Workload.ALLOWED, Workload.DENIED, Workload.MIXED)) {
          cases.add(Case.algorithm(client, algorithm, workload, 1, threads));
          cases.add(Case.algorithm(client, algorithm, workload, 3, threads));
        }
      }
    }

    private void peers(List<Case> cases, Client client) {
      for (Workload workload : PEERS) {
        peers(cases, client, workload, THREADS);
      }
      peers(cases, client, Workload.HOT, MANY_THREADS);
    }

    private void peers(List<Case> cases, Client client, Workload workload, int threads) {
      if (workload != Workload.ALLOWED) {
        cases.add(Case.algorithm(client, Algorithm.TOKEN_BUCKET, workload, 1, threads));
      }
      for (Contender contender : Contender.values()) {
        if (contender != Contender.PENSTOCK && contender.cannot(client).isEmpty()) {
          cases.add(Case.peer(client, contender, workload, threads));
        }
      }
    }
  };

  /** How many threads ask unless a case is about their number. */
  static final int THREADS = 8;

  /** Many threads. */
  static final int MANY_THREADS = 64;

  private static final int WARM_MILLIS = 400;
  private static final List<Workload> PEERS =
      List.of(Workload.ALLOWED, Workload.EXHAUSTED, Workload.HOT);
  private final int warmups;
  private final int turns;
  private final int millis;
  private final int rounds;
  private final int decisions;

  Profile(int warmups, int turns, int millis, int rounds, int decisions) {
    this.warmups = warmups;
    this.turns = turns;
    this.millis = millis;
    this.rounds = rounds;
    this.decisions = decisions;
  }

  /** What is measured through clients, in order. */
  abstract List<Case> cases(List<Client> clients);

  /** How many turns each has before it is measured. */
  int warmups() {
    return warmups;
  }

  /** In how many turns each is measured. */
  int turns() {
    return turns;
  }

  /** How long a turn takes among many. */
  TimeValue turn() {
    return TimeValue.milliseconds(millis);
  }

  /**
   * How long a turn takes in a group: longer where so few take turns that their JVM would stay
   * cold.
   */
  TimeValue turn(Group group) {
    return group.asynchronous() ? turnInFlight() : turn();
  }

  /** How long a turn takes of one thread that never waits. */
  TimeValue turnInFlight() {
    return TimeValue.milliseconds(Math.max(millis, WARM_MILLIS));
  }

  /** How often each script is measured; the best counts. */
  int rounds() {
    return rounds;
  }

  /** How many decisions a measurement on the server is made of. */
  int decisions() {
    return decisions;
  }

  private static void batch(List<Case> cases, Client client, Algorithm algorithm) {
    cases.add(Case.batch(client, algorithm, Callee.PENSTOCK, THREADS));
    if (algorithm == Algorithm.TOKEN_BUCKET) {
      cases.add(Case.batch(client, algorithm, Callee.SAME_COMMANDS, THREADS));
      cases.add(Case.batch(client, algorithm, Callee.TOKEN_BUCKET_RAW, THREADS));
    }
  }

  private static void async(List<Case> cases, Client client, Algorithm algorithm) {
    if (client.asynchronous()) {
      cases.add(Case.async(client, algorithm, Callee.PENSTOCK));
      if (algorithm == Algorithm.TOKEN_BUCKET) {
        cases.add(Case.async(client, algorithm, Callee.SAME_COMMANDS));
        cases.add(Case.async(client, algorithm, Callee.TOKEN_BUCKET_RAW));
      }
    }
  }
}
