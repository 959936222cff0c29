package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.version.OlderClient;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RedissonVersionTest {
  @Test
  @DisplayName("a Redisson that is too old: connecting says in one sentence what to set")
  void older() {
    Path jar = Path.of("target", "older", "redisson-older.jar");
    try (OlderClient classes = OlderClient.of("redisson-", jar)) {
      String limiters = RedissonRateLimiters.class.getName();
      assertThatThrownBy(() -> classes.call(limiters, "connect", "redis://localhost"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("Penstock needs Redisson 3.26.0 or newer for this, and 3.25.2")
          .hasMessageEndingWith(
              " is on the class path: set <redisson.version>4.7.0</redisson.version>");
    }
  }
}
