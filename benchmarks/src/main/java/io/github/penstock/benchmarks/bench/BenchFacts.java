package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.Machine;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What somebody needs to repeat a bench. */
final class BenchFacts {
  private BenchFacts() {}

  /**
   * Of a run.
   *
   * @param clients those that may be used; of these and of other limiters what takes part is told
   */
  static Facts of(Server server, Profile profile, GivenOptions given, List<Client> clients) {
    List<Case> cases = given.wanted(profile.cases(clients));
    Set<Client> used = EnumSet.noneOf(Client.class);
    Set<String> names = new HashSet<>();
    for (Case each : cases) {
      used.add(each.client());
      names.add(each.what());
    }
    if (!given.choose()) {
      for (ServerCase each : ServerCase.of(profile, clients)) {
        used.add(each.client());
        names.add(each.what());
      }
    }
    Facts facts = Facts.here().add("Server", server.title());
    used.forEach(each -> facts.add(each.title(), of(each)));
    for (Contender each : EnumSet.complementOf(EnumSet.of(Contender.PENSTOCK))) {
      if (names.contains(each.title())) {
        facts.add(each.title(), of(each));
      }
    }
    return facts
        .add("JMH", Machine.version("org.openjdk.jmh", "jmh-core"))
        .add(
            "Profile",
            String.format(
                Locale.ROOT,
                "%s: %s for each client and number of threads, in which limiters and floors take turns of %s (%s of calls"
                    + " in flight), %d to warm up and %d that count%s",
                profile.name().toLowerCase(Locale.ROOT),
                given.forks() == 1 ? "a JVM" : given.forks() + " JVMs",
                given.turn(profile.turn()),
                given.turn(profile.turnInFlight()),
                given.warmups(profile),
                given.rounds(profile),
                given.choose() ? "" : "; on the server " + profile.rounds() + " rounds"));
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
