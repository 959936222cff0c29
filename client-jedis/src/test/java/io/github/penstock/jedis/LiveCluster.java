package io.github.penstock.jedis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** Three real masters, a third of the slots each, and one replica of the first. */
final class LiveCluster implements AutoCloseable {
  private static final int MASTERS = 3;
  private static final int RANGE_WITH_REPLICA = 4;
  private final List<LiveServer> servers = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  LiveCluster() throws InterruptedException {
    for (int i = 0; i <= MASTERS; i++) {
      servers.add(new LiveServer("cluster-enabled yes", "cluster-node-timeout 30000"));
      ids.add(text(cluster(i, "MYID")));
    }
    for (int i = 0; i < MASTERS; i++) {
      int first = 16_384 * i / MASTERS;
      int last = 16_384 * (i + 1) / MASTERS - 1;
      cluster(i, "ADDSLOTSRANGE", "" + first, "" + last);
    }
    for (int i = 1; i <= MASTERS; i++) {
      HostAndPort first = servers.get(0).address();
      cluster(i, "MEET", first.getHost(), "" + first.getPort());
    }
    awaitEverywhere("INFO", "cluster_known_nodes:4");
    cluster(MASTERS, "REPLICATE", ids.get(0));
    awaitEverywhere("NODES", "slave " + ids.get(0));
    awaitEverywhere("INFO", "cluster_state:ok");
    while (!offersReplica()) {
      Thread.sleep(20);
    }
  }

  Set<HostAndPort> nodes() {
    return servers.stream().map(LiveServer::address).collect(Collectors.toSet());
  }

  LiveServer server(int index) {
    return servers.get(index);
  }

  /** Sends a CLUSTER command to one node. */
  Object cluster(int node, String... arguments) {
    CommandArguments command = new CommandArguments(Command.CLUSTER);
    List.of(arguments).forEach(command::add);
    return send(node, command);
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

  Object send(int node, CommandArguments command) {
    try (Connection connection = servers.get(node).client().getPool().getResource()) {
      return connection.executeCommand(command);
    }
  }

  @Override
  public void close() {
    servers.forEach(LiveServer::close);
  }

  private void awaitEverywhere(String report, String line) throws InterruptedException {
    for (int i = 0; i <= MASTERS; i++) {
      while (!text(cluster(i, report)).contains(line)) {
        Thread.sleep(20);
      }
    }
  }

  /* CLUSTER SLOTS names a replica once it has begun to replicate. */
  private boolean offersReplica() {
    List<?> ranges = (List<?>) cluster(0, "SLOTS");
    return ranges.stream().anyMatch(range -> ((List<?>) range).size() == RANGE_WITH_REPLICA);
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }
}
