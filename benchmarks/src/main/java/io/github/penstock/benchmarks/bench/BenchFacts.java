package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.Machine;
import java.util.List;
import java.util.Locale;

/** What somebody needs to repeat a bench. */
final class BenchFacts {
  private BenchFacts() {}

  /**
   * Of a run.
   *
   * @param cases those that are measured through clients: others are not told of
   */
  static Facts of(Server server, Profile profile, GivenOptions given, List<Case> cases) {
    Facts facts = Facts.here().add("Server", server.title());
    cases.stream().map(Case::client).distinct().forEach(each -> facts.add(each.title(), of(each)));
    for (Contender each : Contender.values()) {
      if (cases.stream().anyMatch(one -> one.what().equals(each.title()))) {
        facts.add(each.title(), of(each));
      }
    }
    return facts
        .add("JMH", Machine.version("org.openjdk.jmh", "jmh-core"))
        .add(
            "Profile",
            String.format(
                Locale.ROOT,
                "%s: a JVM for each client and number of threads, in which limiters and floors take turns of %s (%s of calls"
                    + " in flight), %d to warm up and %d that count; on the server %d rounds",
                profile.name().toLowerCase(Locale.ROOT),
                profile.turn(),
                profile.turnInFlight(),
                given.warmups(profile),
                given.rounds(profile),
                profile.rounds()));
  }

  private static String of(Client client) {
    return switch (client) {
      case JEDIS -> Machine.version("redis.clients", "jedis") + ", a pool of 64 connections";
      case LETTUCE -> Machine.version("io.lettuce", "lettuce-core") + ", one shared connection";
      case REDISSON -> Machine.version("org.redisson", "redisson") + ", without settings";
    };
  }

  private static String of(Contender contender) {
    return switch (contender) {
      case PENSTOCK -> "the token bucket";
      case BUCKET4J ->
          Machine.version("com.bucket4j", "bucket4j_jdk17-core")
              + ", compare and swap, expiration after the time to refill and 10 s, a proxy per key made once";
      case RRATE_LIMITER -> "Redisson's, OVERALL, an interval of 1 s";
      case SPRING_GATEWAY ->
          "of spring-cloud-gateway-server-webflux "
              + Machine.version("org.springframework.cloud", "spring-cloud-gateway-server-webflux");
    };
  }
}
