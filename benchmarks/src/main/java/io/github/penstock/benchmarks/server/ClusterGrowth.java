package io.github.penstock.benchmarks.server;

import io.github.penstock.benchmarks.limiter.LimiterFactory;
import io.github.penstock.benchmarks.limiter.LimiterUnderTest;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.result.GrowthPoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.ServerExecutable;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A cluster whose decisions are measured, interleaved with clusters of other sizes. */
public final class ClusterGrowth implements AutoCloseable {
  private static final SubjectWorkload WORKLOAD = SubjectWorkload.ALLOWED;
  private final int calls;
  private final ClusterDeployment cluster;
  private final JedisRateLimiters limiters;
  private final LimiterUnderTest limiter;
  private GrowthPoint best;

  private ClusterGrowth(ServerExecutable executable, int size, int calls) {
    this.calls = calls;
    cluster = ClusterDeployment.start(executable, size);
    limiters = limiters(cluster);
    limiter = LimiterFactory.penstock(limiters, PenstockAlgorithm.TOKEN_BUCKET, WORKLOAD, 1);
    best = new GrowthPoint(GrowthPoint.Axis.MASTERS, PenstockAlgorithm.TOKEN_BUCKET, size, 0, 0);
    ThreadLoad.run(limiter, WORKLOAD, calls * 2);
  }

  /**
   * The time of a call on the masters of a cluster, and how many a second 8 threads get; the best
   * iteration of each size counts.
   *
   * @param calls how many calls an iteration has
   */
  public static List<GrowthPoint> measure(
      ServerExecutable executable, List<Integer> sizes, int rounds, int calls) {
    List<ClusterGrowth> all = new ArrayList<>();
    try {
      sizes.forEach(size -> all.add(new ClusterGrowth(executable, size, calls)));
      for (int round = 0; round < rounds; round++) {
        all.forEach(ClusterGrowth::iterate);
      }
      return all.stream().map(cluster -> cluster.best).toList();
    } finally {
      all.forEach(ClusterGrowth::close);
    }
  }

  @Override
  public void close() {
    limiters.close();
    cluster.close();
  }

  private void iterate() {
    double before = scriptMicros();
    double perSecond = calls / ThreadLoad.run(limiter, WORKLOAD, calls);
    double micros = (scriptMicros() - before) / calls;
    if (perSecond > best.perSecond()) {
      best = new GrowthPoint(best.with(), best.what(), best.size(), micros, perSecond);
    }
  }

  private double scriptMicros() {
    double micros = 0;
    for (TestServer node : cluster.masters()) {
      try (RespConnection connection = node.connect()) {
        micros +=
            ServerStats.ofCommands(section -> String.valueOf(connection.call("INFO", section)))
                .scriptMicros();
      }
    }
    return micros;
  }

  private static JedisRateLimiters limiters(ClusterDeployment cluster) {
    return JedisRateLimiters.connect(
        cluster.endpoint().uri(),
        RateLimiterOptions.builder().deadline(Duration.ofSeconds(10)).build());
  }
}
