package io.github.penstock.compat.outage;

import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.RedisDeployment;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import io.github.penstock.testkit.topology.StandaloneServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Servers on which something goes wrong, and comes right again.
 *
 * @param endpoint where clients are told to find them
 * @param after the deployment that has the charges in the end
 * @param begin makes it go wrong
 * @param end makes it come right
 * @param owned resources that end with the scene
 */
record OutageCaseContext(
    ServerEndpoint endpoint,
    RedisDeployment after,
    Runnable begin,
    Runnable end,
    List<? extends AutoCloseable> owned)
    implements AutoCloseable {
  private static final Duration LAG = Duration.ofMillis(500);
  private static final String KEYS = "4000";
  private static final Runnable NOTHING = () -> {};

  /** A separate server. */
  static OutageCaseContext single(
      Consumer<ServerProcess> begin, Consumer<ServerProcess> end, String... options) {
    ServerProcess server = SharedDeployments.process(options);
    return new OutageCaseContext(
        new ServerEndpoint.Single(server.url()),
        new StandaloneServer(server),
        () -> begin.accept(server),
        () -> end.accept(server),
        List.of(server));
  }

  /** One server, whose settings are changed over a connection that nothing closes. */
  static OutageCaseContext settings(String wrong, String right) {
    ServerProcess server = SharedDeployments.process();
    RespConnection admin = server.connect();
    return new OutageCaseContext(
        new ServerEndpoint.Single(server.url()),
        new StandaloneServer(server),
        () -> lines(admin, wrong),
        () -> lines(admin, right),
        List.of(admin, server));
  }

  private static void lines(RespConnection admin, String commands) {
    commands.lines().forEach(line -> admin.call(line.split(" ")));
  }

  /**
   * Keys without an end of life are written until the server, by this policy, has evicted others.
   */
  static OutageCaseContext evicting(String policy) {
    return single(
        server -> {
          long used = Long.parseLong(info(server, "memory", "used_memory"));
          server.call("CONFIG", "SET", "maxmemory-policy", policy);
          server.call("CONFIG", "SET", "maxmemory", Long.toString(used + (1 << 20)));
          fill(server);
        },
        server -> server.call("CONFIG", "SET", "maxmemory", "0"));
  }

  private static void fill(ServerProcess server) {
    String script =
        "for i = 1, ARGV[1] do redis.pcall('SET', 'filler' .. i, string.rep('x', 1000)) end";
    server.call("EVAL", script, "0", KEYS);
  }

  private static String info(TestServer server, String section, String name) {
    return String.valueOf(server.call("INFO", section))
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElse("0");
  }

  /** Killed a second after it has saved. */
  static OutageCaseContext killedAfterSaving(String... options) {
    return single(
        server -> {
          server.call("SAVE");
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
          server.kill();
        },
        ServerProcess::restart,
        options);
  }

  /** Killed, and so full of slow keys that loading them takes seconds. */
  static OutageCaseContext loading() {
    return single(
        server -> {
          fill(server);
          server.call("SAVE");
          server.kill();
        },
        ServerProcess::restart,
        "--key-load-delay",
        "500",
        "--loading-process-events-interval-bytes",
        "1024");
  }

  /** A script of somebody else runs until it is killed, or until it ends. */
  static OutageCaseContext foreignScript(String script, boolean kill) {
    ServerProcess server = SharedDeployments.process("--lua-time-limit", kill ? "300" : "60000");
    RespConnection foreign = server.connect();
    return new OutageCaseContext(
        new ServerEndpoint.Single(server.url()),
        new StandaloneServer(server),
        () -> {
          foreign.send("EVAL", script, "0");
          foreign.flush();
        },
        () -> {
          if (kill) {
            server.call("SCRIPT", "KILL");
          }
          foreign.receive();
        },
        List.of(foreign, server));
  }

  /** A primary hands over to its replica, and the address leads there then. */
  static OutageCaseContext handedOver() {
    return promotion(
        (primary, replica) -> {
          primary.call("FAILOVER", "TO", replica.url().host(), port(replica));
          ServerEvents.await("the replica is the primary")
              .until(() -> info(replica, "replication", "role").equals("master"));
        });
  }

  /** A primary is killed, and a replica that has heard nothing for half a second takes over. */
  static OutageCaseContext laggingReplica() {
    return promotion(
        (primary, replica) -> {
          replica.call("REPLICAOF", "NO", "ONE");
          LockSupport.parkNanos(LAG.toNanos());
          primary.kill();
        });
  }

  private static OutageCaseContext promotion(BiConsumer<ServerProcess, ServerProcess> promotion) {
    ServerProcess primary = SharedDeployments.process();
    ServerProcess replica =
        SharedDeployments.process("--replicaof", primary.url().host(), port(primary));
    FaultProxy proxy = FaultProxy.before(primary.url());
    ReplicaSync.await(primary, replica);
    return new OutageCaseContext(
        new ServerEndpoint.Single(proxy.url()),
        new StandaloneServer(replica),
        () -> {
          promotion.accept(primary, replica);
          proxy.moveTo(replica.url());
        },
        NOTHING,
        List.of(proxy, primary, replica));
  }

  private static String port(ServerProcess server) {
    return Integer.toString(server.url().port());
  }

  /** The primary that sentinels watch is replaced by its replica. */
  static OutageCaseContext sentinelFailover() {
    var group = SharedDeployments.sentinel();
    return new OutageCaseContext(
        group.endpoint(), group, group::failover, NOTHING, List.of(group::awaitWhole));
  }

  /** A replica takes its master's slots over. */
  static OutageCaseContext clusterFailover() {
    var cluster = SharedDeployments.ownCluster();
    ServerProcess master = cluster.master(0);
    ServerProcess replica = cluster.addReplica(master);
    return new OutageCaseContext(
        cluster.endpoint(),
        cluster,
        () -> cluster.failover(master, replica),
        NOTHING,
        List.of(cluster));
  }

  /** A slot without a node makes the whole cluster refuse. */
  static OutageCaseContext clusterDown() {
    var cluster = SharedDeployments.cluster();
    return new OutageCaseContext(
        cluster.endpoint(), cluster, cluster::dropFirstSlot, cluster::returnFirstSlot, List.of());
  }

  @Override
  public void close() {
    for (AutoCloseable each : owned) {
      try {
        each.close();
      } catch (Exception failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
