package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerExecutable;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServers;

/**
 * The deployments that tests share: started when first asked for, ended with the JVM.
 *
 * <p>They are made of processes that can be stopped and killed: of the embedded server, or of the
 * one among {@link TestServers#sources} that {@code -Dpenstock.suite=...} names, such as {@code
 * redis-8.0}. The single server alone is the one at {@code penstock.redis} if that is given. Safe
 * for use by several threads.
 */
public final class SharedDeployments {
  /** The name of the lock on the single server, for tests that run in parallel. */
  public static final String SINGLE = "penstock single server";

  /** The name of the lock on the cluster. */
  public static final String CLUSTER = "penstock cluster";

  /** The name of the lock on the cluster behind proxies. */
  public static final String PROXIED_CLUSTER = "penstock cluster behind proxies";

  /** The name of the lock on the primary and replica under Sentinel. */
  public static final String SENTINEL = "penstock sentinel";

  private SharedDeployments() {}

  /** The single server. */
  public static StandaloneServer single() {
    return SingleHolder.SHARED;
  }

  /** The cluster. */
  public static ClusterDeployment cluster() {
    return ClusterHolder.SHARED;
  }

  /** Another cluster, behind proxies. */
  public static ClusterDeployment clusterBehindProxies() {
    return ProxiedHolder.SHARED;
  }

  /** A new cluster, which the caller may change, and closes. */
  public static ClusterDeployment ownCluster() {
    return ClusterDeployment.start(executable());
  }

  /** The primary and replica under Sentinel. */
  public static SentinelGroup sentinel() {
    return SentinelHolder.SHARED;
  }

  /** A new process that can be stopped and killed, which the caller closes. */
  public static ServerProcess process(String... options) {
    return executable().start(options);
  }

  private static ServerExecutable executable() {
    String name = System.getProperty("penstock.suite", "embedded");
    return TestServers.sources().stream()
        .filter(source -> source.name().equals(name) && source instanceof ServerExecutable)
        .map(ServerExecutable.class::cast)
        .findFirst()
        .orElseGet(() -> embedded(name));
  }

  private static ServerExecutable embedded(String name) {
    EmbeddedServer embedded = new EmbeddedServer();
    if (!name.equals(embedded.name())) {
      throw new IllegalArgumentException(
          "penstock.suite must name an executable of penstock.servers, not " + name);
    }
    return embedded.executable();
  }

  private static final class SingleHolder {
    static final StandaloneServer SHARED =
        new StandaloneServer(
            System.getProperty("penstock.redis") == null ? process() : TestServers.one());
  }

  private static final class ClusterHolder {
    static final ClusterDeployment SHARED = ClusterDeployment.start(executable());
  }

  private static final class ProxiedHolder {
    static final ClusterDeployment SHARED = ClusterDeployment.startBehindProxies(executable());
  }

  private static final class SentinelHolder {
    static final SentinelGroup SHARED = SentinelGroup.start(executable());
  }
}
