package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.version.OlderClient;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The versions of Jedis that Spring Boot 4.0 and 4.1 manage. */
public class JedisVersionTest {
  private static final String BOOT_40 = "jedis-boot-4.0.jar";
  private static final String BOOT_41 = "jedis-boot-4.1.jar";
  private static final Path OLDER = Path.of("target", "older");

  /** Makes one call, where only strings can be handed over. */
  public static String decide(String uri) {
    RateLimiterOptions patient =
        RateLimiterOptions.builder().deadline(Duration.ofMinutes(1)).build();
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri, patient)) {
      Limit limit = FixedWindow.of(10, Duration.ofHours(1));
      return limiters.limiter("api", limit).tryAcquire("u").remaining() + " left";
    }
  }

  @Test
  @DisplayName("Spring Boot 4.1's: a single server works, cluster and Sentinel say what to set")
  void boot41() {
    try (OlderClient classes = OlderClient.of("jedis-", OLDER.resolve(BOOT_41));
        ServerProcess server = new EmbeddedServer().start()) {
      assertThat(decided(classes, server.url().toString())).isEqualTo("9 left");
      refuses(classes, BOOT_41, "redis-cluster://localhost");
      refuses(classes, BOOT_41, "redis-sentinel://localhost#master");
    }
  }

  @Test
  @DisplayName("Spring Boot 4.0's: everything says what to set")
  void boot40() {
    try (OlderClient classes = OlderClient.of("jedis-", OLDER.resolve(BOOT_40))) {
      refuses(classes, BOOT_40, "redis://localhost");
      refuses(classes, BOOT_40, "redis-cluster://localhost");
      refuses(classes, BOOT_40, "redis-sentinel://localhost#master");
    }
  }

  private static Object decided(OlderClient classes, String uri) {
    return classes.call(JedisVersionTest.class.getName(), "decide", uri);
  }

  private static void refuses(OlderClient classes, String jar, String uri) {
    assertThatThrownBy(() -> decided(classes, uri))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Penstock needs Jedis 8.0.0 or newer for this, and %s is on the class path: set"
                    .formatted(jar)
                + " <jedis.version>8.0.2</jedis.version> (Spring Boot manages an older one)");
  }
}
