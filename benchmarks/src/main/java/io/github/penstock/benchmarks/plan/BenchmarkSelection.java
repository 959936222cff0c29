package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import java.util.List;

/**
 * All that one run measures.
 *
 * @param profile how much and how long
 * @param clients those that may be used
 * @param given JMH's own options, which win over the profile's
 */
public record BenchmarkSelection(
    BenchmarkProfile profile, List<RedisClientType> clients, JmhOptions given) {

  public List<BenchmarkCase> cases() {
    return given.wanted(profile.cases(clients));
  }

  /** The limiters whose use of the server is measured; none if there is a choice of benchmarks. */
  public List<ServerCase> serverCases() {
    return given.choose() ? List.of() : profile.serverCases(clients);
  }
}
