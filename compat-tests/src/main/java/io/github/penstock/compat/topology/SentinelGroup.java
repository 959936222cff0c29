package io.github.penstock.compat.topology;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.compat.server.TestServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary with one replica, watched by three sentinels that call it {@value #MASTER_NAME} and
 * give it up after {@value #DOWN_AFTER_MS} ms without an answer.
 */
public final class SentinelGroup implements Deployment {
  /** What the sentinels call the primary. */
  public static final String MASTER_NAME = "penstock";

  /** Milliseconds without an answer after which a sentinel takes the primary for down. */
  public static final int DOWN_AFTER_MS = 1_000;

  private static final Duration FORMING = Duration.ofSeconds(20);

  private final List<ServerProcess> servers;
  private final List<SentinelProcess> sentinels = new ArrayList<>();
  private final DirectCommands commands = new DirectCommands(this);
  private volatile ServerProcess current;

  private SentinelGroup(List<ServerProcess> servers) {
    this.servers = List.copyOf(servers);
    current = servers.get(0);
  }

  /** Starts two servers and three sentinels, and waits, about 3 s, until all know each other. */
  public static SentinelGroup start(Executable executable) {
    List<ServerProcess> servers = new ArrayList<>();
    ServerProcess primary = executable.start("--repl-diskless-sync-delay", "0");
    servers.add(primary);
    String port = Integer.toString(primary.url().port());
    servers.add(
        executable.start(
            "--repl-diskless-sync-delay", "0", "--replicaof", primary.url().host(), port));
    SentinelGroup group = new SentinelGroup(servers);
    try {
      Await.until("replication", FORMING, group::isReplicating);
      for (int i = 0; i < 3; i++) {
        group.sentinels.add(SentinelProcess.start(executable, primary.url()));
      }
      Await.until("that the sentinels meet", FORMING, group::isWatched);
      return group;
    } catch (RuntimeException failure) {
      group.close();
      throw failure;
    }
  }

  private boolean isReplicating() {
    return says(servers.get(1), "master_link_status:up");
  }

  private boolean isWatched() {
    return sentinels.stream().allMatch(SentinelProcess::knowsTheOthers);
  }

  @Override
  public String name() {
    return "primary and replica under Sentinel";
  }

  @Override
  public Endpoint endpoint() {
    List<RedisUrl> urls = sentinels.stream().map(SentinelProcess::url).toList();
    return new Endpoint.Sentinel(MASTER_NAME, urls);
  }

  @Override
  public List<TestServer> masters() {
    return List.of(primary());
  }

  /** The server that the sentinels named when they were last asked. */
  @Override
  public TestServer owner(String key) {
    return current;
  }

  @Override
  public boolean isOurs() {
    return true;
  }

  /** The server that the sentinels name now. */
  public ServerProcess primary() {
    int port = sentinels.get(0).masterPort();
    current =
        servers.stream()
            .filter(server -> server.url().port() == port)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("sentinels name an unknown port " + port));
    return current;
  }

  /** Waits until the sentinels name another server than this one, and it is a primary. */
  public void awaitPrimaryOtherThan(ServerProcess gone) {
    Await.until("a failover", FORMING, () -> primary() != gone && isPrimary(primary()));
  }

  private boolean isPrimary(ServerProcess server) {
    return says(server, "role:master");
  }

  /** Starts a killed server again, and waits until it is a replica of the other one. */
  public void repair(ServerProcess gone) {
    gone.restart();
    Await.until("that it is a replica", FORMING, () -> isFollowing(gone) && isWatched());
  }

  private boolean isFollowing(ServerProcess server) {
    return says(server, "role:slave") && says(server, "master_link_status:up");
  }

  private boolean says(ServerProcess server, String line) {
    try {
      return String.valueOf(commands.on(server, "INFO", "replication")).contains(line);
    } catch (UncheckedIOException closing) {
      return false;
    }
  }

  @Override
  public void close() {
    commands.close();
    sentinels.forEach(SentinelProcess::close);
    servers.forEach(ServerProcess::close);
  }
}
