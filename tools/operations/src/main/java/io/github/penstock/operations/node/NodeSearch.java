package io.github.penstock.operations.node;

import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.operations.server.ServerComplaint;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.resp.RespError;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/** Asks a deployment for all its servers. */
public final class NodeSearch {
  private static final Pattern REPLICA =
      Pattern.compile("(?m)^slave\\d+:ip=(?<host>[^,]+),port=(?<port>\\d+)");
  private static final Pattern NODE =
      Pattern.compile(
          "(?<id>\\S+) (?<host>\\S*?):(?<port>\\d+)(?:@\\d+)?(?:,(?<name>[^, ]*))?\\S*"
              + " (?<flags>\\S+) (?<primary>\\S+) .*");

  private final NodeAccess access;

  public NodeSearch(NodeAccess access) {
    this.access = access;
  }

  /** Every primary with its replicas. */
  List<NodeGroup> groups() {
    ServerUri uri = access.uri();
    if (uri instanceof ServerUri.Cluster cluster) {
      return firstThatAnswers(cluster.nodes(), this::groupsOfCluster);
    }
    if (uri instanceof ServerUri.Sentinel sentinel) {
      NodeGroup watched = firstThatAnswers(sentinel.sentinels(), at -> watched(sentinel, at));
      return List.of(watched);
    }
    return List.of(alone(((ServerUri.Single) uri).address()));
  }

  /** The server that owns a key: in a cluster the one that its nodes name. */
  public NodeConnection owner(String key) {
    ServerUri uri = access.uri();
    if (!(uri instanceof ServerUri.Cluster cluster)) {
      return access.open(
          uri instanceof ServerUri.Single single
              ? at(single.address())
              : groups().get(0).primary());
    }
    NodeConnection connection =
        firstThatAnswers(cluster.nodes(), address -> access.open(at(address)));
    Object answer = connection.call("EXISTS", key);
    if (answer instanceof RespError moved && moved.text().startsWith("MOVED ")) {
      connection.close();
      String target = moved.text().split(" ")[2];
      int colon = target.lastIndexOf(':');
      String host = colon == 0 ? connection.address().getHost() : target.substring(0, colon);
      return access.open(new HostAndPort(host, Integer.parseInt(target.substring(colon + 1))));
    }
    if (answer instanceof RespError error && !error.text().startsWith("NOPERM ")) {
      connection.close();
      throw ServerComplaint.of(connection.address(), error.text());
    }
    return connection;
  }

  private NodeGroup alone(InetSocketAddress single) {
    HostAndPort address = at(single);
    try (NodeConnection connection = access.open(address)) {
      String info = String.valueOf(connection.expect("INFO"));
      if (info.contains("cluster_enabled:1")) {
        throw new UserErrorException(
            address + " is a node of a cluster: give --redis redis-cluster://" + address + ".");
      }
      if (info.contains("role:slave")) {
        throw new UserErrorException(
            "%s is a replica of %s:%s: give the address of its primary."
                .formatted(address, field(info, "master_host"), field(info, "master_port")));
      }
      Matcher replica = REPLICA.matcher(info);
      List<HostAndPort> replicas =
          replica.results().map(found -> at(found.group(1), found.group(2))).toList();
      return new NodeGroup(address, replicas);
    }
  }

  private NodeGroup watched(ServerUri.Sentinel uri, InetSocketAddress at) {
    try (NodeConnection sentinel = access.openSentinel(at(at))) {
      Object master = sentinel.expect("SENTINEL", "GET-MASTER-ADDR-BY-NAME", uri.masterName());
      if (!(master instanceof List<?> address)) {
        throw new UserErrorException(
            "the sentinel at %s knows no master of the name after the #: correct it."
                .formatted(at(at)));
      }
      List<HostAndPort> replicas = new ArrayList<>();
      if (sentinel.expect("SENTINEL", "REPLICAS", uri.masterName()) instanceof List<?> list) {
        list.forEach(
            each -> {
              Map<String, String> replica = pairs(each);
              replicas.add(at(replica.getOrDefault("ip", ""), replica.getOrDefault("port", "0")));
            });
      }
      return new NodeGroup(
          at(String.valueOf(address.get(0)), String.valueOf(address.get(1))), replicas);
    }
  }

  private List<NodeGroup> groupsOfCluster(InetSocketAddress seed) {
    try (NodeConnection connection = access.open(at(seed))) {
      List<Matcher> nodes =
          String.valueOf(connection.expect("CLUSTER", "NODES"))
              .lines()
              .map(NODE::matcher)
              .filter(Matcher::matches)
              .filter(node -> !node.group("flags").matches(".*(noaddr|handshake).*"))
              .toList();
      return nodes.stream()
          .filter(node -> node.group("flags").contains("master"))
          .map(
              primary ->
                  new NodeGroup(
                      at(primary, connection),
                      nodes.stream()
                          .filter(node -> node.group("primary").equals(primary.group("id")))
                          .map(node -> at(node, connection))
                          .toList()))
          .toList();
    }
  }

  /* Certificates name hosts; a node that has not met another one does not know its address. */
  private HostAndPort at(Matcher node, NodeConnection connection) {
    String name = node.group("name");
    String host =
        node.group("host").isEmpty() ? connection.address().getHost() : node.group("host");
    boolean named = access.uri().tls() && name != null && !name.isEmpty();
    return at(named ? name : host, node.group("port"));
  }

  private static HostAndPort at(String host, String port) {
    return new HostAndPort(host, Integer.parseInt(port));
  }

  private static HostAndPort at(InetSocketAddress address) {
    return new HostAndPort(address.getHostString(), address.getPort());
  }

  /** A field of INFO's answer; empty if it is missing. */
  static String field(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":(.*?)\\r?$").matcher(info);
    return line.find() ? line.group(1) : "";
  }

  /** A flat list of names and values as a map. */
  static Map<String, String> pairs(Object flat) {
    Map<String, String> pairs = new LinkedHashMap<>();
    if (flat instanceof List<?> list) {
      for (int i = 0; i + 1 < list.size(); i += 2) {
        pairs.put(String.valueOf(list.get(i)), String.valueOf(list.get(i + 1)));
      }
    }
    return pairs;
  }

  /* If none answers, the error of the last one is shown. */
  private static <T> T firstThatAnswers(
      List<InetSocketAddress> addresses, Function<InetSocketAddress, T> work) {
    UserErrorException last = new UserErrorException("the URI names no server.");
    for (InetSocketAddress address : addresses) {
      try {
        return work.apply(address);
      } catch (UserErrorException failure) {
        last = failure;
      }
    }
    throw last;
  }
}
