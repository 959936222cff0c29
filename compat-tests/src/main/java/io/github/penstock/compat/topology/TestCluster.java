package io.github.penstock.compat.topology;

import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of masters on this machine, in which slots can be moved while clients use them. */
public final class TestCluster implements Deployment {
  private static final int MASTERS = 3;
  private static final int KEYS_PER_STEP = 100;
  private static final Duration FORMING = Duration.ofSeconds(20);

  private final List<TestServer> nodes;
  private final TestServer[] owners = new TestServer[KeySlot.COUNT];
  private final DirectCommands commands = new DirectCommands(this);

  private TestCluster(List<TestServer> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /* Longer than any test keeps a node frozen: else the others may call it failed, and go on doing so for a while. */
  private static final String NODE_TIMEOUT_MS = "30000";

  /** Starts three servers and makes them a cluster, which takes about 2 s. */
  public static TestCluster start(Executable executable) {
    return start(executable, MASTERS);
  }

  /**
   * Starts servers and makes them a cluster.
   *
   * @param masters at least 1
   */
  public static TestCluster start(Executable executable, int masters) {
    List<TestServer> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < masters; i++) {
        nodes.add(
            executable.start(
                "--cluster-enabled", "yes", "--cluster-node-timeout", NODE_TIMEOUT_MS));
      }
      TestCluster cluster = new TestCluster(nodes);
      cluster.form();
      return cluster;
    } catch (RuntimeException failure) {
      nodes.forEach(TestServer::close);
      throw failure;
    }
  }

  private void form() {
    for (int i = 0; i < nodes.size(); i++) {
      int from = i * KeySlot.COUNT / nodes.size();
      int to = (i + 1) * KeySlot.COUNT / nodes.size();
      TestServer node = nodes.get(i);
      Stream<String> slots = IntStream.range(from, to).mapToObj(Integer::toString);
      String[] add = Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new);
      commands.expect("OK", node, add);
      String epoch = Integer.toString(i + 1);
      commands.expect("OK", node, "CLUSTER", "SET-CONFIG-EPOCH", epoch);
      Arrays.fill(owners, from, to, node);
    }
    for (TestServer node : nodes.subList(1, nodes.size())) {
      String port = Integer.toString(node.url().port());
      commands.expect("OK", nodes.get(0), "CLUSTER", "MEET", node.url().host(), port);
    }
    Await.until("that all nodes agree", FORMING, () -> nodes.stream().allMatch(this::isReady));
  }

  private boolean isReady(TestServer node) {
    String info = String.valueOf(commands.on(node, "CLUSTER", "INFO"));
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + KeySlot.COUNT)
        && info.contains("cluster_known_nodes:" + nodes.size());
  }

  @Override
  public String name() {
    return "cluster of " + nodes.size() + (nodes.size() == 1 ? " master" : " masters");
  }

  @Override
  public Endpoint endpoint() {
    return new Endpoint.Cluster(nodes.stream().map(TestServer::url).toList());
  }

  @Override
  public List<TestServer> masters() {
    return nodes;
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
   * Moves the slot of a key to the next master, as a resharding does, with a pause before each of
   * its steps, so that clients meet every state that lies between.
   *
   * @param pause how long each state lasts at least
   */
  public void moveSlot(String key, Duration pause) throws InterruptedException {
    int number = KeySlot.of(key);
    String slot = Integer.toString(number);
    TestServer from = owner(key);
    TestServer to = nodes.get((nodes.indexOf(from) + 1) % nodes.size());
    String target = id(to);
    commands.expect("OK", to, "CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
    commands.expect("OK", from, "CLUSTER", "SETSLOT", slot, "MIGRATING", target);
    Thread.sleep(pause.toMillis());
    moveKeys(slot, from, to);
    Thread.sleep(pause.toMillis());
    commands.expect("OK", to, "CLUSTER", "SETSLOT", slot, "NODE", target);
    commands.expect("OK", from, "CLUSTER", "SETSLOT", slot, "NODE", target);
    for (TestServer node : nodes) {
      commands.expect("OK", node, "CLUSTER", "SETSLOT", slot, "NODE", target);
    }
    synchronized (this) {
      owners[number] = to;
    }
    Thread.sleep(pause.toMillis());
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
      migrate.addAll(List.of(Integer.toString(to.url().port()), "", "0", "5000", "KEYS"));
      keys.forEach(key -> migrate.add(String.valueOf(key)));
      commands.expect(from, migrate.toArray(String[]::new));
    }
  }

  @Override
  public void close() {
    commands.close();
    nodes.forEach(TestServer::close);
  }
}
