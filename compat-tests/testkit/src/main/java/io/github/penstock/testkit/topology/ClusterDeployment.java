package io.github.penstock.testkit.topology;

import static io.github.penstock.testkit.topology.ServerEvents.await;

import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerExecutable;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster of masters on this machine, in which slots can be moved while clients use them. */
public final class ClusterDeployment implements RedisDeployment {
  private static final int MASTERS = 3;
  private static final int KEYS_PER_STEP = 100;

  /* More than a cluster usually takes to form. */
  private static final int POLLS_PER_MEETING = 250;

  private final ServerExecutable executable;
  private final List<ServerProcess> masters = new CopyOnWriteArrayList<>();
  private final List<ServerProcess> nodes = new CopyOnWriteArrayList<>();
  private final TestServer[] owners = new TestServer[KeySlot.COUNT];
  private final DirectCommands commands = new DirectCommands(this);

  private final List<FaultProxy> proxies;

  private ClusterDeployment(ServerExecutable executable, List<FaultProxy> proxies) {
    this.executable = executable;
    this.proxies = proxies;
  }

  /* Longer than any test keeps a node frozen: else the others may call it failed, and go on doing so for a while. */
  private static final String NODE_TIMEOUT_MS = "30000";

  /* Nodes tell each other of a new one within half of it; with the longer one that takes 10 s. */
  private static final String JOINING_TIMEOUT_MS = "1000";

  /** Starts three servers and makes them a cluster, which takes about 2 s. */
  public static ClusterDeployment start(ServerExecutable executable) {
    return start(executable, MASTERS);
  }

  /** The variant whose nodes announce proxies, through which clients go. */
  public static ClusterDeployment startBehindProxies(ServerExecutable executable) {
    RedisUrl nowhere = RedisUrl.local(1);
    return start(
        executable,
        Stream.generate(() -> FaultProxy.before(nowhere)).limit(MASTERS).toList(),
        MASTERS);
  }

  /**
   * Starts servers and makes them a cluster.
   *
   * @param masters at least 1
   */
  public static ClusterDeployment start(ServerExecutable executable, int masters) {
    return start(executable, List.of(), masters);
  }

  private static ClusterDeployment start(
      ServerExecutable executable, List<FaultProxy> proxies, int masters) {
    ClusterDeployment cluster = new ClusterDeployment(executable, proxies);
    try {
      for (int i = 0; i < masters; i++) {
        cluster.masters.add(cluster.startNode());
      }
      cluster.form();
      return cluster;
    } catch (RuntimeException failure) {
      cluster.close();
      throw failure;
    }
  }

  private ServerProcess startNode() {
    @Nullable FaultProxy proxy = proxies.isEmpty() ? null : proxies.get(nodes.size());
    ServerProcess node =
        executable.start(
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            NODE_TIMEOUT_MS,
            "--cluster-announce-port",
            Integer.toString(proxy == null ? 0 : proxy.url().port()),
            "--repl-diskless-sync-delay",
            "0",
            "--repl-ping-replica-period", // a replica of offset 0 is not offered: by default 10 s
            "1");
    if (proxy != null) {
      proxy.moveTo(node.url());
    }
    nodes.add(node);
    return node;
  }

  private void form() {
    setNodeTimeout(JOINING_TIMEOUT_MS);
    int count = nodes.size();
    for (int i = 0; i < count; i++) {
      int from = i * KeySlot.COUNT / count;
      int to = (i + 1) * KeySlot.COUNT / count;
      TestServer node = nodes.get(i);
      Stream<String> slots = IntStream.range(from, to).mapToObj(Integer::toString);
      String[] add = Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new);
      commands.expect("OK", node, add);
      String epoch = Integer.toString(i + 1);
      commands.expect("OK", node, "CLUSTER", "SET-CONFIG-EPOCH", epoch);
      Arrays.fill(owners, from, to, node);
    }
    join(nodes.subList(1, count));
    setNodeTimeout(NODE_TIMEOUT_MS);
  }

  /* A handshake that a stall of JOINING_TIMEOUT_MS breaks off is begun by no node again. */
  private void join(List<ServerProcess> newcomers) {
    AtomicInteger polls = new AtomicInteger();
    await("all nodes agree")
        .until(
            () -> {
              if (polls.getAndIncrement() % POLLS_PER_MEETING == 0) {
                newcomers.forEach(this::meet);
              }
              return nodes.stream().allMatch(this::isReady);
            });
  }

  private void meet(TestServer node) {
    String port = Integer.toString(node.url().port());
    commands.expect("OK", nodes.get(0), "CLUSTER", "MEET", node.url().host(), port);
  }

  /** Adds a master without slots, which no client knows yet, and waits until all nodes know it. */
  public ServerProcess addMaster() {
    ServerProcess master = startNode();
    setNodeTimeout(JOINING_TIMEOUT_MS);
    join(List.of(master));
    setNodeTimeout(NODE_TIMEOUT_MS);
    masters.add(master);
    return master;
  }

  /** Adds a replica, and waits until it has all that its master has, and all nodes offer it. */
  public ServerProcess addReplica(TestServer master) {
    ServerProcess replica = startNode();
    commands.expect("OK", replica, "CONFIG", "SET", "cluster-replica-no-failover", "yes");
    setNodeTimeout(JOINING_TIMEOUT_MS);
    join(List.of(replica));
    commands.expect("OK", replica, "CLUSTER", "REPLICATE", id(master));
    ReplicaSync.await(master, replica);
    String offered = id(replica);
    await("all nodes offer the replica")
        .until(() -> nodes.stream().allMatch(node -> slots(node).contains(offered)));
    setNodeTimeout(NODE_TIMEOUT_MS);
    return replica;
  }

  /** Hands a master's slots over to its replica, and waits until every node says so. */
  public void failover(ServerProcess master, ServerProcess replica) {
    commands.expect("OK", replica, "CLUSTER", "FAILOVER");
    String promoted = id(replica);
    await("the replica is the master")
        .until(() -> nodes.stream().allMatch(node -> isMaster(node, promoted)));
    masters.set(masters.indexOf(master), replica);
    synchronized (this) {
      Arrays.setAll(owners, slot -> owners[slot] == master ? replica : owners[slot]);
    }
  }

  private boolean isMaster(TestServer node, String id) {
    return nodesKnownTo(node)
        .lines()
        .anyMatch(line -> line.startsWith(id) && line.contains("master"));
  }

  private void setNodeTimeout(String millis) {
    nodes.forEach(
        node -> commands.expect("OK", node, "CONFIG", "SET", "cluster-node-timeout", millis));
  }

  private String slots(TestServer node) {
    return String.valueOf(commands.expect(node, "CLUSTER", "SLOTS"));
  }

  private boolean isReady(TestServer node) {
    String info = String.valueOf(commands.on(node, "CLUSTER", "INFO"));
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + KeySlot.COUNT)
        && info.contains("cluster_known_nodes:" + nodes.size())
        && nodes.stream().map(this::id).allMatch(nodesKnownTo(node)::contains);
  }

  /* With their ids, which a node does not know before its handshake with the other has ended. */
  private String nodesKnownTo(TestServer node) {
    return String.valueOf(commands.on(node, "CLUSTER", "NODES"));
  }

  @Override
  public ServerEndpoint endpoint() {
    return new ServerEndpoint.Cluster(
        proxies.isEmpty()
            ? masters.stream().map(TestServer::url).toList()
            : proxies.stream().map(FaultProxy::url).toList());
  }

  @Override
  public List<TestServer> masters() {
    return List.copyOf(masters);
  }

  /** The proxies before its nodes; none if clients go straight to them. */
  public List<FaultProxy> proxies() {
    return proxies;
  }

  /** A master, which a test may freeze for less than 30 s, from 0 in the order of their slots. */
  public ServerProcess master(int index) {
    return masters.get(index);
  }

  @Override
  public synchronized TestServer owner(String key) {
    return owners[KeySlot.of(key)];
  }

  @Override
  public boolean isOurs() {
    return true;
  }

  /**
   * Moves the slot of a key to the next master, as a resharding does, and stops in every state that
   * lies between, so that clients meet it.
   *
   * @param inEachState returns when the next step may come
   */
  public void moveSlot(String key, Runnable inEachState) {
    TestServer from = owner(key);
    TestServer to = next(from);
    beginMove(key, to);
    inEachState.run();
    moveKeys(slot(key), from, to);
    inEachState.run();
    endMove(key, to);
    inEachState.run();
  }

  /** The master after this one, or the first. */
  public TestServer next(TestServer master) {
    return masters.get((masters.indexOf(master) + 1) % masters.size());
  }

  /** Begins to move the slot of a key: its owner answers ASK for keys that it does not have. */
  public void beginMove(String key, TestServer to) {
    TestServer from = owner(key);
    commands.expect("OK", to, "CLUSTER", "SETSLOT", slot(key), "IMPORTING", id(from));
    commands.expect("OK", from, "CLUSTER", "SETSLOT", slot(key), "MIGRATING", id(to));
  }

  /** Ends the move: the old owner answers MOVED. No key of the slot may be left there. */
  public void endMove(String key, TestServer to) {
    TestServer from = owner(key);
    String target = id(to);
    commands.expect("OK", to, "CLUSTER", "SETSLOT", slot(key), "NODE", target);
    commands.expect("OK", from, "CLUSTER", "SETSLOT", slot(key), "NODE", target);
    for (TestServer node : masters) {
      commands.expect("OK", node, "CLUSTER", "SETSLOT", slot(key), "NODE", target);
    }
    synchronized (this) {
      owners[KeySlot.of(key)] = to;
    }
  }

  /** Takes slot 0 from the cluster: no node has it, and so all nodes refuse every key. */
  public void dropFirstSlot() {
    TestServer owner = owners[0];
    commands.expect("OK", owner, "CLUSTER", "DELSLOTS", "0");
    nodes.stream().filter(node -> node != owner).forEach(this::forgetFirstSlot);
    await("the cluster is down")
        .until(() -> nodes.stream().noneMatch(node -> isInState(node, "ok")));
  }

  /* A node that has heard of it already no longer knows the slot. */
  private void forgetFirstSlot(TestServer node) {
    commands.on(node, "CLUSTER", "DELSLOTS", "0");
  }

  /** Gives slot 0 back to its owner, and waits until all nodes serve again. */
  public void returnFirstSlot() {
    commands.expect("OK", owners[0], "CLUSTER", "ADDSLOTS", "0");
    await("the cluster is up").until(() -> nodes.stream().allMatch(node -> isInState(node, "ok")));
  }

  private boolean isInState(TestServer node, String state) {
    return String.valueOf(commands.on(node, "CLUSTER", "INFO")).contains("cluster_state:" + state);
  }

  private static String slot(String key) {
    return Integer.toString(KeySlot.of(key));
  }

  private String id(TestServer node) {
    return String.valueOf(commands.expect(node, "CLUSTER", "MYID"));
  }

  private void moveKeys(String slot, TestServer from, TestServer to) {
    while (true) {
      Object answer =
          commands.expect(from, "CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(KEYS_PER_STEP));
      List<?> keys = (List<?>) answer;
      if (keys == null || keys.isEmpty()) {
        return;
      }
      List<String> migrate = new ArrayList<>(List.of("MIGRATE", to.url().host()));
      migrate.addAll(List.of(Integer.toString(to.url().port()), "", "0", "60000", "KEYS"));
      keys.forEach(key -> migrate.add(String.valueOf(key)));
      commands.expect(from, migrate.toArray(String[]::new));
    }
  }

  @Override
  public void close() {
    commands.close();
    nodes.forEach(TestServer::close);
    proxies.forEach(FaultProxy::close);
  }
}
