package io.github.penstock.jedis;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The connection for the check: whether a server answers at all (rule F2). */
class JedisCheckTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));

  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @Test
  @DisplayName("F2.1 it is made beside the pool, with the client's user, password and database")
  void settings() {
    server.call("ACL", "SETUSER", "app", "on", ">a password", "~*", "+@all");
    String uri =
        "redis://app:a%%20password@%s:%d/3".formatted(server.url().host(), server.url().port());
    try (JedisRateLimiters limiters =
        JedisRateLimiters.connect(uri, RateLimiterOptions.defaults())) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      ServerEvents.firstResult("a decision", () -> api.tryAcquire("u"));
      ServerEvents.await("a pooled connection, and one for the check")
          .until(
              () -> api.tryAcquire("u").enforced() && scriptConnections("user=app", "db=3") == 2);
    }
    ServerEvents.await("no connection").until(() -> scriptConnections("user=app") == 0);
  }

  private long scriptConnections(String... properties) {
    return ((String) server.call("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains(" cmd=eval"))
        .filter(line -> Stream.of(properties).allMatch(line::contains))
        .count();
  }
}
