package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkSelection;
import io.github.penstock.benchmarks.plan.JmhOptions;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.report.MachineFacts;
import io.github.penstock.report.RunFacts;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Facts that somebody needs to repeat a bench. */
public final class BenchFacts {
  private BenchFacts() {}

  /** Of a run: its server, the clients and other limiters that take part, and the profile. */
  public static RunFacts of(String server, BenchmarkSelection selection) {
    Set<RedisClientType> clients = EnumSet.noneOf(RedisClientType.class);
    Set<BenchmarkCandidate> candidates = new HashSet<>();
    for (BenchmarkCase each : selection.cases()) {
      clients.add(each.client());
      candidates.add(each.candidate());
      if (each.candidate() == TripSaving.BUCKET4J) {
        candidates.add(LimiterType.BUCKET4J);
      }
    }
    for (ServerCase each : selection.serverCases()) {
      clients.add(each.client());
      candidates.add(each.candidate());
    }
    RunFacts facts = RunFacts.here().add("Server", server);
    clients.forEach(each -> facts.add(each.title(), of(each)));
    for (LimiterType each : LimiterType.values()) {
      if (candidates.contains(each)) {
        facts.add(each.title(), of(each));
      }
    }
    return facts
        .add("JMH", MachineFacts.version("org.openjdk.jmh", "jmh-core"))
        .add("Profile", profile(selection.profile(), selection.given()));
  }

  private static String profile(BenchmarkProfile profile, JmhOptions given) {
    return String.format(
        Locale.ROOT,
        "%s: %s for each client and number of threads, in which limiters and floors are interleaved, iterations of %s (%s of calls"
            + " in flight), %d to warm up and %d that count%s",
        profile.name().toLowerCase(Locale.ROOT),
        given.forks() == 1 ? "a JVM" : given.forks() + " JVMs",
        given.iterationTime(profile.iterationTime()),
        given.iterationTime(profile.timeInFlight()),
        given.warmups(profile),
        given.rounds(profile),
        given.choose() ? "" : "; on the server " + profile.rounds() + " rounds");
  }

  private static String of(RedisClientType client) {
    return switch (client) {
      case JEDIS -> MachineFacts.version("redis.clients", "jedis") + ", a pool of 64 connections";
      case LETTUCE ->
          MachineFacts.version("io.lettuce", "lettuce-core") + ", one shared connection";
      case REDISSON -> MachineFacts.version("org.redisson", "redisson") + ", without settings";
      case GLIDE -> "valkey-glide, one shared connection, at most 10,000 requests in flight";
    };
  }

  private static String of(LimiterType limiter) {
    return switch (limiter) {
      case PENSTOCK -> "the token bucket";
      case BUCKET4J ->
          MachineFacts.version("com.bucket4j", "bucket4j_jdk17-core")
              + ", compare and swap, expiration after the time to refill and 10 s, a proxy per key made once";
      case RRATE_LIMITER -> "Redisson's, OVERALL, an interval of 1 s";
      case SPRING_GATEWAY ->
          "of spring-cloud-gateway-server-webflux "
              + MachineFacts.version(
                  "org.springframework.cloud", "spring-cloud-gateway-server-webflux");
    };
  }
}
