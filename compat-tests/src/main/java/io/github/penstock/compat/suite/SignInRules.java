package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.model.ScriptAlgorithm;
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
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Signing in with the user and password that are encoded in the URI. */
abstract class SignInRules extends SuiteRules {
  private static final String USER = "lim:iter";
  private static final String PASSWORD = "p/w@#?%+ &=:,[";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Limit LIMIT = LimitSetting.lasting(ScriptAlgorithm.TOKEN_BUCKET, 5);

  @Test
  @DisplayName("to a single server, also to a database of its own")
  void single() {
    try (ServerProcess server = SharedDeployments.process()) {
      allow(server.url());
      RedisUrl right = signed(server.url(), PASSWORD);
      RedisUrl inThree = new RedisUrl(right.host(), right.port(), USER, PASSWORD, 3);
      admitted(new ServerEndpoint.Single(right));
      admitted(new ServerEndpoint.Single(inThree));
      try (RespConnection connection = RespConnection.open(inThree, TIMEOUT)) {
        assertThat(connection.call("DBSIZE")).isEqualTo(1L);
      }
      refused(new ServerEndpoint.Single(signed(server.url(), "wrong")));
    }
  }

  @Test
  @ResourceLock(SharedDeployments.CLUSTER)
  @DisplayName("to every node of a cluster")
  void cluster() {
    ClusterDeployment cluster = SharedDeployments.cluster();
    cluster.masters().forEach(node -> allow(node.url()));
    admitted(new ServerEndpoint.Cluster(signed(cluster, PASSWORD)));
    refused(new ServerEndpoint.Cluster(signed(cluster, "wrong")));
  }

  @Test
  @ResourceLock(SharedDeployments.SENTINEL)
  @DisplayName(
      "to the master that sentinels name, and to the sentinels, which have users of their own")
  void sentinel() {
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
      // Not every client says what sentinels answer.
      refused(sentinel(signed(sentinels, "wrong"), PASSWORD), "");
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

  private void admitted(ServerEndpoint endpoint) {
    try (RateLimiters limiters = AdapterTrial.connect(suite(), endpoint, AdapterTrial.OPTIONS)) {
      assertThat(limiters.limiter(AdapterTrial.unique(), LIMIT).tryAcquire("u").allowed()).isTrue();
    }
  }

  private void refused(ServerEndpoint endpoint) {
    refused(endpoint, "WRONGPASS");
  }

  /* Some clients try until the deadline: a longer one is for a machine that stalls. */
  private void refused(ServerEndpoint endpoint, String words) {
    Throwable failure = failure(endpoint, Duration.ofSeconds(1));
    if (!Throwables.getStackTrace(failure).contains(words)) {
      failure = failure(endpoint, TIMEOUT);
    }
    assertThat(failure)
        .isInstanceOf(RuntimeException.class)
        .hasMessageNotContaining(PASSWORD)
        .hasStackTraceContaining(words);
  }

  private Throwable failure(ServerEndpoint endpoint, Duration deadline) {
    RateLimiterOptions options = AdapterTrial.OPTIONS.toBuilder().deadline(deadline).build();
    return catchThrowable(
        () -> {
          try (RateLimiters limiters = suite().connect(endpoint, options)) {
            limiters.limiter(AdapterTrial.unique(), LIMIT).tryAcquire("u");
          }
        });
  }
}
