package io.github.penstock.lettuce;

import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Three masters on this machine, a third of the slots each, and a replica of the first. */
final class TestCluster implements AutoCloseable {
  private static final int MASTERS = 3;
  private final List<ServerProcess> nodes = new ArrayList<>();
  private final List<Integer> busPorts = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  TestCluster() throws IOException, InterruptedException {
    for (int i = 0; i <= MASTERS; i++) {
      addNode();
    }
    for (int i = 0; i < MASTERS; i++) {
      int first = 16_384 * i / MASTERS;
      int last = 16_384 * (i + 1) / MASTERS - 1;
      call(i, "CLUSTER", "ADDSLOTSRANGE", "" + first, "" + last);
      call(i, "CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
    }
    for (int i = 1; i <= MASTERS; i++) {
      meet(i);
    }
    for (int i = 0; i <= MASTERS; i++) {
      await(i, "INFO", "cluster_known_nodes:4");
    }
    call(MASTERS, "CLUSTER", "REPLICATE", ids.get(0));
    for (int i = 0; i <= MASTERS; i++) {
      await(i, "NODES", "slave " + ids.get(0));
      await(i, "INFO", "cluster_state:ok");
    }
    awaitReplica();
  }

  String uri() {
    return nodes.stream()
        .map(node -> node.url().host() + ":" + node.url().port())
        .collect(Collectors.joining(",", "redis://", ""));
  }

  ServerProcess node(int index) {
    return nodes.get(index);
  }

  Object call(int node, String... command) {
    try (RespConnection connection = nodes.get(node).connect()) {
      return connection.call(command);
    }
  }

  /** Calls that a node counted under {@code command}. */
  long calls(int node, String command) {
    return Servers.calls(nodes.get(node), command);
  }

  /** Adds a master without slots, which no client knows yet. */
  int join() throws IOException, InterruptedException {
    addNode();
    int index = nodes.size() - 1;
    meet(index);
    for (int i = 0; i <= index; i++) {
      await(i, "INFO", "cluster_known_nodes:" + nodes.size());
      await(i, "NODES", ids.get(index));
    }
    await(index, "INFO", "cluster_state:ok");
    return index;
  }

  /** Begins to move a slot, so that its owner answers ASK for keys that it does not have. */
  void beginMove(int slot, int from, int to) {
    call(to, "CLUSTER", "SETSLOT", "" + slot, "IMPORTING", ids.get(from));
    call(from, "CLUSTER", "SETSLOT", "" + slot, "MIGRATING", ids.get(to));
  }

  /** Ends the move, so that the old owner answers MOVED. */
  void endMove(int slot, int from, int to) {
    call(to, "CLUSTER", "SETSLOT", "" + slot, "NODE", ids.get(to));
    call(from, "CLUSTER", "SETSLOT", "" + slot, "NODE", ids.get(to));
  }

  @Override
  public void close() {
    nodes.forEach(ServerProcess::close);
  }

  private void addNode() throws IOException {
    int busPort = freePort();
    ServerProcess node =
        new EmbeddedServer()
            .start(
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                "" + busPort,
                "--cluster-node-timeout",
                "30000",
                "--repl-diskless-sync-delay",
                "0");
    nodes.add(node);
    busPorts.add(busPort);
    ids.add((String) call(nodes.size() - 1, "CLUSTER", "MYID"));
  }

  private void meet(int index) {
    String port = "" + nodes.get(0).url().port();
    call(index, "CLUSTER", "MEET", "127.0.0.1", port, "" + busPorts.get(0));
  }

  private void await(int node, String report, String line) throws InterruptedException {
    Servers.await(
        Duration.ofSeconds(20), () -> String.valueOf(call(node, "CLUSTER", report)).contains(line));
  }

  private void awaitReplica() throws InterruptedException {
    Servers.await(
        Duration.ofSeconds(20),
        () -> {
          String info = String.valueOf(call(MASTERS, "INFO", "replication"));
          return info.contains("master_link_status:up") && !info.contains("slave_repl_offset:0\r");
        });
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
