package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.version.OlderClient;
import io.github.penstock.core.RateLimiterOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

public class LettuceVersionTest {
  /** Connects, where only strings can be handed over. */
  public static AutoCloseable connect(String uri) {
    return LettuceRateLimiters.connect(uri, RateLimiterOptions.defaults());
  }

  @Test
  @DisplayName("a Lettuce that is too old: connecting says in one sentence what to set")
  void older() {
    Path jar = Path.of("target", "older", "lettuce-core-older.jar");
    try (OlderClient classes = OlderClient.of("lettuce-core-", jar)) {
      String here = LettuceVersionTest.class.getName();
      assertThatThrownBy(() -> classes.call(here, "connect", "redis://localhost"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("Penstock needs Lettuce 6.0.0 or newer for this, and 5.3.7")
          .hasMessageEndingWith(
              " is on the class path: set <lettuce.version>7.7.0.RELEASE</lettuce.version>");
    }
  }
}
