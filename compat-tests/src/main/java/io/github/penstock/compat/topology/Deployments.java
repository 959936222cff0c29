package io.github.penstock.compat.topology;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.compat.server.TestServers;

/**
 * The deployments that tests share: started when first asked for, ended with the JVM.
 *
 * <p>They are made of processes that can be stopped and killed: of the embedded server, or of the
 * one among {@link TestServers#sources} that {@code -Dpenstock.suite=...} names, such as {@code
 * redis-8.0}. The single server alone is the one at {@code penstock.redis} if that is given. Safe
 * for use by several threads.
 */
public final class Deployments {
  private Deployments() {}

  /** The single server. */
  public static SingleServer single() {
    return SingleHolder.SHARED;
  }

  /** The cluster. */
  public static TestCluster cluster() {
    return ClusterHolder.SHARED;
  }

  /** The primary and replica under Sentinel. */
  public static SentinelGroup sentinel() {
    return SentinelHolder.SHARED;
  }

  /** A new process that can be stopped and killed, which the caller closes. */
  public static ServerProcess process(String... options) {
    return executable().start(options);
  }

  private static Executable executable() {
    String name = System.getProperty("penstock.suite", "embedded");
    return TestServers.sources().stream()
        .filter(source -> source.name().equals(name) && source instanceof Executable)
        .map(Executable.class::cast)
        .findFirst()
        .orElseGet(() -> embedded(name));
  }

  private static Executable embedded(String name) {
    EmbeddedServer embedded = new EmbeddedServer();
    if (!name.equals(embedded.name())) {
      throw new IllegalArgumentException(
          "penstock.suite must name an executable of penstock.servers, not " + name);
    }
    return embedded.executable();
  }

  private static final class SingleHolder {
    static final SingleServer SHARED =
        new SingleServer(
            System.getProperty("penstock.redis") == null ? process() : TestServers.one());
  }

  private static final class ClusterHolder {
    static final TestCluster SHARED = TestCluster.start(executable());
  }

  private static final class SentinelHolder {
    static final SentinelGroup SHARED = SentinelGroup.start(executable());
  }
}
