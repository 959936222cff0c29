package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.AsyncBenchmark;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
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
    return new Case(
        Question.FLOOR,
        floor.title(),
        client,
        Workload.ALLOWED,
        1,
        threads,
        Map.of("client", client.name(), "floor", floor.name()));
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

  static Case batch(Client client, Algorithm algorithm, int threads) {
    return new Case(
        Question.BATCH,
        title(algorithm),
        client,
        Workload.ALLOWED,
        1,
        threads,
        Map.of("client", client.name(), "algorithm", algorithm.name()));
  }

  static Case async(Client client, Algorithm algorithm, AsyncBenchmark.Callee callee) {
    return new Case(
        Question.ASYNC,
        callee == AsyncBenchmark.Callee.PENSTOCK ? title(algorithm) : Floor.SAME_COMMANDS.title(),
        client,
        Workload.ALLOWED,
        1,
        1,
        Map.of("client", client.name(), "algorithm", algorithm.name(), "callee", callee.name()));
  }

  /** An algorithm's name for people: the script's. */
  static String title(Algorithm algorithm) {
    return algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What a person reads while it runs. */
  String label() {
    String how =
        switch (question) {
          case BATCH -> ", batches of 100";
          case ASYNC -> ", 256 in flight";
          case FLOOR -> "";
          default -> ", " + workload.name().toLowerCase(Locale.ROOT);
        };
    return "%s on %s%s%s, %d %s"
        .formatted(
            what,
            client.title(),
            how,
            tiers == 1 ? "" : ", " + tiers + " tiers",
            threads,
            threads == 1 ? "thread" : "threads");
  }
}
