package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Decider;
import io.github.penstock.benchmarks.jmh.Deciders;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.benchmarks.jmh.Workload;
import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.TestServer;
import io.github.penstock.compat.topology.TestCluster;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.jedis.JedisRateLimiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

/** How the cost of a decision grows with keys and with a cluster's masters. */
final class GrowthBench {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int CREATED_TOGETHER = 10_000;
  private static final String CREATE =
      "for i=ARGV[1],ARGV[2] do redis.call(\"SET\",KEYS[1]..string.format(\"%07d\",i)..\"}\",ARGV[3],\"PX\",3600000) end";
  private final SplittableRandom random = new SplittableRandom(1);
  private final int calls;

  /**
   * @param calls how many calls a measurement is made of
   */
  GrowthBench(int calls) {
    this.calls = calls;
  }

  /**
   * What a call of the token bucket and of its floor takes, on so many existing keys, in random
   * order; all by turns of {@value ScriptBench#AT_ONCE} calls, the best of which counts.
   */
  List<GrowthPoint> keys(RedisUrl url, List<Integer> sizes, int rounds) {
    List<ScriptCase> scripts =
        List.of(
            ScriptCase.shipped(Algorithm.TOKEN_BUCKET, 1, true),
            ScriptCase.floor(Floor.SAME_COMMANDS, true));
    Map<GrowthPoint, Double> best = new LinkedHashMap<>();
    Map<Integer, Target> targets = new LinkedHashMap<>();
    try (RespConnection connection = RespConnection.open(url, TIMEOUT)) {
      for (int size : sizes) {
        Target target = Target.at(url);
        targets.put(size, target);
        create(target, connection, size);
      }
      scripts.forEach(what -> connection.call(what.load().toArray(String[]::new)));
      for (int done = 0; done < rounds * calls; done += ScriptBench.AT_ONCE) {
        targets.forEach(
            (size, target) -> {
              for (ScriptCase what : scripts) {
                GrowthPoint point = new GrowthPoint(GrowthPoint.KEYS, what.what(), size, 0, 0);
                best.merge(point, micros(target, connection, what, size), Math::min);
              }
            });
      }
    } finally {
      targets.values().forEach(Target::close);
    }
    return best.entrySet().stream().map(each -> each.getKey().with(each.getValue(), 0)).toList();
  }

  /**
   * What a call takes on the masters of a cluster, and how many a second 8 threads get; clusters of
   * all sizes by turns, the best of which counts.
   */
  List<GrowthPoint> masters(Executable executable, List<Integer> sizes, int rounds) {
    List<Masters> all = new ArrayList<>();
    try {
      sizes.forEach(size -> all.add(new Masters(executable, size)));
      for (int round = 0; round < rounds; round++) {
        all.forEach(Masters::turn);
      }
      return all.stream().map(masters -> masters.best).toList();
    } finally {
      all.forEach(Masters::close);
    }
  }

  /** A cluster that is ready for its turns. */
  private final class Masters implements AutoCloseable {
    private final TestCluster cluster;
    private final JedisRateLimiters limiters;
    private final Decider decider;
    private GrowthPoint best;

    Masters(Executable executable, int size) {
      cluster = TestCluster.start(executable, size);
      limiters = limiters(cluster);
      decider = Deciders.penstock(limiters, Algorithm.TOKEN_BUCKET, Workload.ALLOWED, 1);
      best = new GrowthPoint(GrowthPoint.MASTERS, Case.title(Algorithm.TOKEN_BUCKET), size, 0, 0);
      Load.run(decider, Workload.ALLOWED, calls * 2);
    }

    void turn() {
      List<ServerStats> before = stats(cluster);
      double perSecond = calls / Load.run(decider, Workload.ALLOWED, calls);
      List<ServerStats> after = stats(cluster);
      double micros = 0;
      for (int i = 0; i < before.size(); i++) {
        micros += after.get(i).since(before.get(i)).commandMicros(Integer.MAX_VALUE);
      }
      if (perSecond > best.perSecond()) {
        best = best.with(micros / calls, perSecond);
      }
    }

    @Override
    public void close() {
      limiters.close();
      cluster.close();
    }
  }

  private static JedisRateLimiters limiters(TestCluster cluster) {
    Set<HostAndPort> nodes =
        cluster.masters().stream()
            .map(node -> new HostAndPort(node.url().host(), node.url().port()))
            .collect(Collectors.toSet());
    return JedisRateLimiters.connectCluster(
        nodes,
        DefaultJedisClientConfig.builder().build(),
        RateLimiterOptions.defaults().deadline(Duration.ofSeconds(10)));
  }

  private static List<ServerStats> stats(TestCluster cluster) {
    List<ServerStats> stats = new ArrayList<>();
    for (TestServer node : cluster.masters()) {
      try (RespConnection connection = node.connect()) {
        stats.add(ServerStats.read(connection));
      }
    }
    return stats;
  }

  /* By a script, which makes ten thousand keys in the time of one round trip. */
  private static void create(Target target, RespConnection connection, int size) {
    long soon = (System.currentTimeMillis() + 1_000) * 1_000;
    for (int from = 0; from < size; from += CREATED_TOGETHER) {
      CleanStop.check();
      int to = Math.min(size, from + CREATED_TOGETHER) - 1;
      connection.call(
          "EVAL",
          CREATE,
          "1",
          head(target),
          Integer.toString(from),
          Integer.toString(to),
          Long.toString(soon));
    }
  }

  private double micros(Target target, RespConnection connection, ScriptCase what, int size) {
    CleanStop.check();
    ServerStats before = ServerStats.read(connection);
    for (int i = 0; i < ScriptBench.AT_ONCE; i++) {
      String number = String.format(Locale.ROOT, "%07d", random.nextInt(size));
      connection.send(what.command(head(target) + number + "}"));
    }
    for (int i = 0; i < ScriptBench.AT_ONCE; i++) {
      connection.receive();
    }
    ServerStats used = ServerStats.read(connection).since(before);
    return used.commandMicros(Integer.MAX_VALUE) / ScriptBench.AT_ONCE;
  }

  private static String head(Target target) {
    return target.prefix() + ":growth:{";
  }
}
