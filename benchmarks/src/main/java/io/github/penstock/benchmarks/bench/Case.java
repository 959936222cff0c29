package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Callee;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Turn;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.Locale;
import java.util.Map;

/**
 * One thing to measure through a client.
 *
 * @param question what it is about
 * @param what the algorithm's, floor's or peer's name for people
 * @param client through which client
 * @param workload who asks
 * @param tiers how many tiers the limit has
 * @param threads how many threads ask
 * @param parameters what JMH gives the benchmark
 */
record Case(
    Question question,
    String what,
    Client client,
    Workload workload,
    int tiers,
    int threads,
    Map<String, String> parameters) {

  static Case algorithm(
      Client client, Algorithm algorithm, Workload workload, int tiers, int threads) {
    return new Case(
        Question.ALGORITHM,
        title(algorithm),
        client,
        workload,
        tiers,
        threads,
        Map.of(
            "client", client.name(),
            "algorithm", algorithm.name(),
            "workload", workload.name(),
            "tiers", Integer.toString(tiers)));
  }

  static Case floor(Client client, Floor floor, int threads) {
    Workload workload = floor == Floor.SAME_COMMANDS_MIXED ? Workload.MIXED : Workload.ALLOWED;
    return new Case(
        Question.FLOOR,
        floor.title(),
        client,
        workload,
        1,
        threads,
        Map.of("client", client.name(), "floor", floor.name(), "workload", workload.name()));
  }

  static Case peer(Client client, Contender contender, Workload workload, int threads) {
    return new Case(
        Question.PEER,
        contender.title(),
        client,
        workload,
        1,
        threads,
        Map.of(
            "client", client.name(),
            "contender", contender.name(),
            "workload", workload.name()));
  }

  static Case batch(Client client, Algorithm algorithm, Callee callee, int threads) {
    return new Case(
        Question.BATCH,
        title(callee, algorithm),
        client,
        Workload.ALLOWED,
        1,
        threads,
        Map.of("client", client.name(), "algorithm", algorithm.name(), "callee", callee.name()));
  }

  static Case async(Client client, Algorithm algorithm, Callee callee) {
    return new Case(
        Question.ASYNC,
        title(callee, algorithm),
        client,
        Workload.ALLOWED,
        1,
        1,
        Map.of("client", client.name(), "algorithm", algorithm.name(), "callee", callee.name()));
  }

  /** Whether the report shows a ratio of this to another, as many threads through one client. */
  boolean needs(Case other) {
    if (client != other.client || threads != other.threads) {
      return false;
    }
    return switch (question) {
      case FLOOR -> other.isFloor(Floor.PING) || other.isFloor(Floor.EMPTY_SCRIPT);
      case ALGORITHM ->
          other.question == Question.FLOOR
              && (other.workload == workload || other.workload == Workload.ALLOWED);
      case PEER -> other.isFloor(Floor.EMPTY_SCRIPT) || other.isBucket(workload);
      case BATCH -> other.isBucket(Workload.ALLOWED) || other.question == question && other.isRaw();
      case ASYNC -> other.question == question && other.isRaw();
    };
  }

  private boolean isFloor(Floor floor) {
    return question == Question.FLOOR && what.equals(floor.title());
  }

  private boolean isBucket(Workload asked) {
    return question == Question.ALGORITHM
        && what.equals(title(Algorithm.TOKEN_BUCKET))
        && workload == asked
        && tiers == 1;
  }

  private boolean isRaw() {
    return !Callee.PENSTOCK.name().equals(parameters.get("callee"));
  }

  /** An algorithm's name for people: the script's. */
  static String title(Algorithm algorithm) {
    return algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String title(Callee callee, Algorithm algorithm) {
    return callee.floor().map(Floor::title).orElse(title(algorithm));
  }

  /** Its turn among the others of its client, which has no meaning for {@link Question#ASYNC}. */
  Turn turn() {
    return switch (question) {
      case FLOOR -> new Turn(Turn.Kind.FLOOR, parameters.get("floor"), workload, 1);
      case PEER -> new Turn(Turn.Kind.PEER, parameters.get("contender"), workload, 1);
      case BATCH ->
          Turn.batch(
              Callee.valueOf(parameters.get("callee")),
              Algorithm.valueOf(parameters.get("algorithm")));
      case ALGORITHM, ASYNC ->
          new Turn(Turn.Kind.ALGORITHM, parameters.get("algorithm"), workload, tiers);
    };
  }
}
