package io.github.penstock.benchmarks.bench;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.ServerSource;
import io.github.penstock.compat.server.TestServer;
import java.util.concurrent.TimeUnit;

/** A server with a replica that follows it. */
final class ReplicatedServer implements AutoCloseable {
  private static final long LINK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private final TestServer primary;
  private final TestServer replica;

  private ReplicatedServer(TestServer primary, TestServer replica) {
    this.primary = primary;
    this.replica = replica;
  }

  /** Starts both, and waits until the one follows the other. */
  static ReplicatedServer start(ServerSource source) {
    TestServer primary = source.start("--repl-diskless-sync-delay", "0");
    try {
      String port = Integer.toString(primary.url().port());
      TestServer replica = source.start("--replicaof", primary.url().host() + " " + port);
      ReplicatedServer both = new ReplicatedServer(primary, replica);
      both.await();
      return both;
    } catch (RuntimeException failure) {
      primary.close();
      throw failure;
    }
  }

  /** Where the primary is. */
  RedisUrl url() {
    return primary.url();
  }

  @Override
  public void close() {
    replica.close();
    primary.close();
  }

  private void await() {
    long deadline = System.nanoTime() + LINK_NANOS;
    try (RespConnection connection = replica.connect()) {
      while (!String.valueOf(connection.call("INFO", "replication")).contains("link_status:up")) {
        if (System.nanoTime() > deadline) {
          replica.close();
          throw new IllegalStateException("a replica does not follow its primary");
        }
        Thread.sleep(20);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", interrupted);
    }
  }
}
