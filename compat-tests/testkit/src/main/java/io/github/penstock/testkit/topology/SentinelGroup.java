package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerExecutable;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A primary with one replica, watched by three sentinels that call it {@value #MASTER_NAME} and
 * give it up after {@value #DOWN_AFTER_MS} ms without an answer while a failover is awaited.
 */
public final class SentinelGroup implements RedisDeployment {
  /** The sentinels' name for the primary. */
  public static final String MASTER_NAME = "penstock";

  /** Milliseconds without an answer after which an awaited failover begins. */
  public static final int DOWN_AFTER_MS = 1_000;

  /** The time-out at all other times: longer than a machine stalls. */
  static final int PATIENT_DOWN_AFTER_MS = 30_000;

  /* Less than the 10 of Sentinel. */
  private static final int LINK_DOWN_FACTOR = 8;

  private final List<ServerProcess> servers;
  private final List<SentinelProcess> sentinels = new ArrayList<>();
  private final DirectCommands commands = new DirectCommands(this);
  private volatile ServerProcess current;

  private SentinelGroup(List<ServerProcess> servers) {
    this.servers = List.copyOf(servers);
    current = servers.get(0);
  }

  /** Starts two servers and three sentinels, and waits, about 3 s, until all know each other. */
  public static SentinelGroup start(ServerExecutable executable) {
    List<ServerProcess> servers = new ArrayList<>();
    ServerProcess primary = executable.start("--repl-diskless-sync-delay", "0");
    servers.add(primary);
    String port = Integer.toString(primary.url().port());
    servers.add(
        executable.start(
            "--repl-diskless-sync-delay", "0", "--replicaof", primary.url().host(), port));
    SentinelGroup group = new SentinelGroup(servers);
    try {
      group.await("replication", group::isReplicating);
      for (int i = 0; i < 3; i++) {
        group.sentinels.add(SentinelProcess.start(executable, primary.url()));
      }
      group.await("the sentinels know all", group::isWatched);
      return group;
    } catch (RuntimeException failure) {
      group.close();
      throw failure;
    }
  }

  private boolean isReplicating() {
    return isReplicaOf(servers.get(0), servers.get(1));
  }

  private boolean isWatched() {
    return sentinels.stream().allMatch(SentinelProcess::knowsTheOthers);
  }

  @Override
  public ServerEndpoint endpoint() {
    List<RedisUrl> urls = sentinels.stream().map(SentinelProcess::url).toList();
    return new ServerEndpoint.Sentinel(MASTER_NAME, urls);
  }

  @Override
  public List<TestServer> masters() {
    return List.of(primary());
  }

  /** The primary and its replica, whichever is which now. */
  public List<ServerProcess> servers() {
    return servers;
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

  /**
   * Waits until the sentinels name another server than this one, which was just killed, and it is a
   * primary.
   *
   * <p>Sentinels promote no replica that has been without its primary for much longer than ten
   * times down-after. A machine that stalls for 2 s makes them pause for 30 s ("tilt"), after which
   * they never would: so down-after grows with the time that went by, until it is done.
   */
  public void awaitPrimaryOtherThan(ServerProcess gone) {
    Instant killed = Instant.now();
    AtomicLong downAfter = new AtomicLong(DOWN_AFTER_MS);
    setDownAfter(DOWN_AFTER_MS);
    await(
        "a failover",
        () -> {
          long elapsed = Duration.between(killed, Instant.now()).toMillis();
          if (elapsed > LINK_DOWN_FACTOR * downAfter.get()) {
            downAfter.set(elapsed / 2);
            setDownAfter(downAfter.get());
          }
          return primary() != gone && isPrimary(primary());
        });
    setDownAfter(PATIENT_DOWN_AFTER_MS);
  }

  /**
   * Has the replica promoted while the primary works, and returns the new primary once all
   * sentinels name it. They make a replica of the old one some 10 s later.
   */
  public ServerProcess failover() {
    awaitReplication();
    ServerProcess old = primary();
    sentinels.get(0).failover();
    await(
        "all sentinels name the replica",
        () -> sentinels.stream().noneMatch(it -> it.masterPort() == old.url().port()));
    return primary();
  }

  /** Returns once one server follows the other, as all sentinels say. */
  public void awaitWhole() {
    await("one server follows the other", this::isWhole);
  }

  private void setDownAfter(long millis) {
    sentinels.forEach(sentinel -> sentinel.setDownAfter(millis));
  }

  private boolean isPrimary(ServerProcess server) {
    return says(server, "role:master");
  }

  /**
   * Starts a killed server again, and waits until one of the two follows the other, as all
   * sentinels say. It may be the other one that follows: on a machine that stalls for {@value
   * #DOWN_AFTER_MS} ms, sentinels can give up the new primary, too.
   */
  public void repair(ServerProcess gone) {
    gone.restart();
    awaitWhole();
  }

  private boolean isWhole() {
    ServerProcess primary = primary();
    return isPrimary(primary)
        && servers.stream().allMatch(server -> server == primary || isReplicaOf(primary, server))
        && sentinels.stream().allMatch(it -> it.masterPort() == primary.url().port())
        && isWatched();
  }

  private boolean isReplicaOf(ServerProcess primary, ServerProcess server) {
    return says(server, "master_port:" + primary.url().port())
        && says(server, "master_link_status:up");
  }

  /** Also waits until the sentinels offer the replica to clients. */
  @Override
  public void awaitReplication() {
    await(
        "the sentinels offer the replica",
        () -> sentinels.stream().allMatch(SentinelProcess::offersTheReplica));
    ServerProcess primary = primary();
    servers.stream()
        .filter(server -> server != primary)
        .forEach(replica -> ReplicaSync.await(primary, replica));
  }

  private void await(String what, Callable<Boolean> event) {
    try {
      ServerEvents.await(what).until(event);
    } catch (ConditionTimeoutException never) {
      String logs = sentinels.stream().map(SentinelProcess::said).collect(Collectors.joining("\n"));
      throw new IllegalStateException(what + " never came. " + logs, never);
    }
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
