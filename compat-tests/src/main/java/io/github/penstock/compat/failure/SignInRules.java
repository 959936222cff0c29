package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.near.ClientRules;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Signing in with the user and password that are encoded in the URI; others are refused. */
public abstract class SignInRules extends ClientRules {
  private static final String USER = "lim:iter";
  private static final String PASSWORD = FailureCaseContext.SECRET;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Test
  @DisplayName("to a single server, also to a database of its own")
  void single() throws Exception {
    try (ServerProcess server = SharedDeployments.process()) {
      allow(server.url());
      RedisUrl right = signed(server.url(), PASSWORD);
      RedisUrl inThree = new RedisUrl(right.host(), right.port(), USER, PASSWORD, 3);
      admitted(new ServerEndpoint.Single(right));
      long admitted = admitted(new ServerEndpoint.Single(inThree));
      try (RespConnection connection = RespConnection.open(inThree, TIMEOUT)) {
        assertThat(connection.integer("DBSIZE")).isEqualTo(admitted);
      }
      refused(new ServerEndpoint.Single(signed(server.url(), "wrong")));
    }
  }

  @Test
  @ResourceLock(SharedDeployments.CLUSTER)
  @DisplayName("to every node of a cluster")
  void cluster() throws Exception {
    ClusterDeployment cluster = SharedDeployments.cluster();
    cluster.masters().forEach(node -> allow(node.url()));
    admitted(new ServerEndpoint.Cluster(signed(cluster, PASSWORD)));
    refused(new ServerEndpoint.Cluster(signed(cluster, "wrong")));
  }

  @Test
  @ResourceLock(SharedDeployments.SENTINEL)
  @DisplayName(
      "to the master that sentinels name, and to the sentinels, which have users of their own")
  void sentinel() throws Exception {
    SentinelGroup group = SharedDeployments.sentinel();
    List<RedisUrl> sentinels = ((ServerEndpoint.Sentinel) group.endpoint()).sentinels();
    group.servers().forEach(server -> allow(server.url()));
    sentinels.forEach(SignInRules::allow);
    admitted(sentinel(sentinels, PASSWORD));
    List<RedisUrl> right = signed(sentinels, PASSWORD);
    right.forEach(sentinel -> change(sentinel, "default", "resetpass"));
    try {
      admitted(sentinel(right, PASSWORD));
      refused(sentinel(right, "wrong"));
      refused(sentinel(signed(sentinels, "wrong"), PASSWORD));
    } finally {
      right.forEach(sentinel -> change(sentinel, "default", "nopass"));
    }
  }

  private static ServerEndpoint sentinel(List<RedisUrl> sentinels, String password) {
    return new ServerEndpoint.Sentinel(SentinelGroup.MASTER_NAME, sentinels, USER, password);
  }

  private static List<RedisUrl> signed(ClusterDeployment cluster, String password) {
    return signed(cluster.masters().stream().map(TestServer::url).toList(), password);
  }

  private static List<RedisUrl> signed(List<RedisUrl> urls, String password) {
    return urls.stream().map(url -> signed(url, password)).toList();
  }

  private static RedisUrl signed(RedisUrl url, String password) {
    return new RedisUrl(url.host(), url.port(), USER, password, 0);
  }

  private static void allow(RedisUrl url) {
    change(url, USER, "on", ">" + PASSWORD, "~*", "&*", "+@all");
  }

  private static void change(RedisUrl url, String... userAndRules) {
    String[] command =
        Stream.concat(Stream.of("ACL", "SETUSER"), Stream.of(userAndRules)).toArray(String[]::new);
    try (RespConnection connection = RespConnection.open(url, TIMEOUT)) {
      if (connection.call(command) instanceof RespError error) {
        Assumptions.abort("optional: the server has no users: " + error.text());
      }
    }
  }

  /* Returns how many calls the server decided, each of a subject of its own. */
  private long admitted(ServerEndpoint endpoint) throws Exception {
    try (FailureCheck check = check()) {
      int clients = check.connect(endpoint);
      check.ready();
      return (long) clients * FailureCheck.READY;
    }
  }

  private void refused(ServerEndpoint endpoint) throws Exception {
    try (FailureCheck check = check()) {
      check.of(new FailureCaseContext(endpoint, null, List.of()));
    }
  }

  private FailureCheck check() {
    return new FailureCheck(suiteClient(), "Wrong password of a deployment", ExpectedAnswer.THROWN);
  }
}
