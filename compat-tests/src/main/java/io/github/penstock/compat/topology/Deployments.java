package io.github.penstock.compat.topology;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.compat.server.TestServers;

/**
 * The deployments that tests share: started when first asked for, ended with the JVM.
 *
 * <p>The single server is the one of {@link TestServers#one}. The others are made of processes that
 * can be stopped and killed: of the first executable among {@link TestServers#sources}, otherwise
 * of the embedded server. Safe for use by several threads.
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
    return TestServers.sources().stream()
        .filter(Executable.class::isInstance)
        .map(Executable.class::cast)
        .findFirst()
        .orElseGet(() -> new EmbeddedServer().executable());
  }

  private static final class SingleHolder {
    static final SingleServer SHARED = new SingleServer(TestServers.one());
  }

  private static final class ClusterHolder {
    static final TestCluster SHARED = TestCluster.start(executable());
  }

  private static final class SentinelHolder {
    static final SentinelGroup SHARED = SentinelGroup.start(executable());
  }
}
