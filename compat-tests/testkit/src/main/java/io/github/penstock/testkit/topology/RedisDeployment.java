package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.server.TestServer;
import java.util.List;

/** One or more servers that serve the same keys. Safe for use by several threads. */
public interface RedisDeployment extends AutoCloseable {
  /** Where clients find it. */
  ServerEndpoint endpoint();

  /** The servers that take writes now. */
  List<TestServer> masters();

  /** The server that owns a key now. */
  TestServer owner(String key);

  /** True if only this JVM uses it, so that it may lose its scripts or be restarted. */
  boolean isOurs();

  /** Commands that go to the owner of their first argument, each waiting for its answer. */
  default DirectCommands commands() {
    return new DirectCommands(this);
  }

  /** Makes every master forget its scripts. */
  default void flushScripts() {
    try (DirectCommands commands = commands()) {
      masters().forEach(master -> commands.expect("OK", master, "SCRIPT", "FLUSH"));
    }
  }

  /** Returns once every replica has all earlier writes; at once without replicas. */
  default void awaitReplication() {}

  /** The product and version that the servers state. */
  default String version() {
    return masters().get(0).version();
  }

  @Override
  void close();
}
