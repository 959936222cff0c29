package io.github.penstock.testkit.server;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Every server that was started here and not closed; they end with the JVM. */
final class RunningServers {
  private static final Set<TestServer> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> List.copyOf(RUNNING).forEach(TestServer::close), "penstock-servers"));
  }

  private RunningServers() {}

  static void add(TestServer server) {
    RUNNING.add(server);
  }

  static void remove(TestServer server) {
    RUNNING.remove(server);
  }
}
