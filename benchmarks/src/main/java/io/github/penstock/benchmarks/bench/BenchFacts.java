package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.Machine;
import java.util.Locale;

/** What somebody needs to repeat a bench. */
final class BenchFacts {
  private BenchFacts() {}

  static Facts of(Server server, Profile profile) {
    String bucket4j = Machine.version("com.bucket4j", "bucket4j_jdk17-core");
    return Facts.here()
        .add("Server", server.title())
        .add("Jedis", Machine.version("redis.clients", "jedis") + ", a pool of 64 connections")
        .add("Lettuce", Machine.version("io.lettuce", "lettuce-core") + ", one shared connection")
        .add("Redisson", Machine.version("org.redisson", "redisson") + ", without settings")
        .add(
            "Bucket4j",
            bucket4j
                + ", compare and swap, expiration after the time to refill and 10 s, a proxy per key made once")
        .add("RRateLimiter", "Redisson's, OVERALL, an interval of 1 s")
        .add(
            "Spring Cloud Gateway",
            "the script of spring-cloud-gateway-server-webflux "
                + Machine.version(
                    "org.springframework.cloud", "spring-cloud-gateway-server-webflux"))
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
                profile.warmups(),
                profile.turns(),
                profile.rounds()));
  }
}
