package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.version.OlderClient;
import io.github.penstock.core.RateLimiterOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

public class RedissonVersionTest {
  /** Connects, where only strings can be handed over. */
  public static AutoCloseable connect(String uri) {
    return RedissonRateLimiters.connect(uri, RateLimiterOptions.defaults());
  }

  @Test
  @DisplayName("a Redisson that is too old: connecting says in one sentence what to set")
  void older() {
    Path jar = Path.of("target", "older", "redisson-older.jar");
    try (OlderClient classes = OlderClient.of("redisson-", jar)) {
      String here = RedissonVersionTest.class.getName();
      assertThatThrownBy(() -> classes.call(here, "connect", "redis://localhost"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("Penstock needs Redisson 3.26.0 or newer for this, and 3.25.2")
          .hasMessageEndingWith(
              " is on the class path: set <redisson.version>4.7.0</redisson.version>");
    }
  }
}
