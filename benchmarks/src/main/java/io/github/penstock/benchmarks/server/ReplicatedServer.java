package io.github.penstock.benchmarks.server;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerSource;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ReplicaSync;

/**
 * A server with a replica that follows it.
 *
 * @param primary the server
 * @param replica its replica
 */
public record ReplicatedServer(TestServer primary, TestServer replica) implements AutoCloseable {
  /** Starts both, and waits until the one follows the other. */
  public static ReplicatedServer start(ServerSource source) {
    TestServer primary = source.start("--repl-diskless-sync-delay", "0");
    String port = Integer.toString(primary.url().port());
    try {
      TestServer replica = source.start("--replicaof", primary.url().host() + " " + port);
      try {
        ReplicaSync.await(primary, replica);
        return new ReplicatedServer(primary, replica);
      } catch (RuntimeException failure) {
        replica.close();
        throw failure;
      }
    } catch (RuntimeException failure) {
      primary.close();
      throw failure;
    }
  }

  RedisUrl url() {
    return primary.url();
  }

  @Override
  public void close() {
    replica.close();
    primary.close();
  }
}
