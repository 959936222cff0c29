package io.github.penstock.redisson;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Three real masters, a third of the slots each, and one replica of the first. */
final class Cluster implements AutoCloseable {
  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  Cluster() {
    for (int i = 0; i <= MASTERS; i++) {
      servers.add(
          new EmbeddedServer()
              .start("--cluster-enabled", "yes", "--cluster-node-timeout", "30000"));
      ids.add(cluster(i, "MYID"));
    }
    for (int i = 0; i < MASTERS; i++) {
      int last = SLOTS * (i + 1) / MASTERS - 1;
      cluster(i, "ADDSLOTSRANGE", "" + SLOTS * i / MASTERS, "" + last);
    }
    for (int i = 1; i <= MASTERS; i++) {
      cluster(i, "MEET", "127.0.0.1", "" + server(0).url().port());
    }
    awaitEverywhere("INFO", "cluster_known_nodes:4");
    cluster(MASTERS, "REPLICATE", ids.get(0));
    awaitEverywhere("NODES", "slave " + ids.get(0));
    awaitEverywhere("INFO", "cluster_state:ok");
    await(() -> replication().contains("master_link_status:up"));
    await(() -> Served.command(server(0), "CLUSTER", "SLOTS").toString().contains(ids.get(3)));
  }

  ServerProcess server(int index) {
    return servers.get(index);
  }

  /** Begins to move a slot, so that its owner answers ASK for keys that it does not have. */
  void beginMove(int slot, int from, int to) {
    cluster(to, "SETSLOT", "" + slot, "IMPORTING", ids.get(from));
    cluster(from, "SETSLOT", "" + slot, "MIGRATING", ids.get(to));
  }

  /** Ends the move, so that the old owner answers MOVED. */
  void endMove(int slot, int to) {
    cluster(to, "SETSLOT", "" + slot, "NODE", ids.get(to));
    for (int i = 0; i < MASTERS; i++) {
      cluster(i, "SETSLOT", "" + slot, "NODE", ids.get(to));
    }
  }

  /** Which master had the slot of a subject when the cluster began. */
  int home(String subject) {
    return slot(subject) * MASTERS / SLOTS;
  }

  int slot(String subject) {
    return Integer.parseInt(cluster(0, "KEYSLOT", subject));
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::close);
  }

  private String replication() {
    return String.valueOf(Served.command(server(MASTERS), "INFO", "replication"));
  }

  private String cluster(int node, String... arguments) {
    List<String> command = new ArrayList<>(List.of("CLUSTER"));
    command.addAll(List.of(arguments));
    return String.valueOf(Served.command(server(node), command.toArray(String[]::new)));
  }

  private void awaitEverywhere(String report, String line) {
    for (int i = 0; i <= MASTERS; i++) {
      int node = i;
      await(() -> cluster(node, report).contains(line));
    }
  }

  private static void await(java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(20))
        .until(condition);
  }
}
