package io.github.penstock.glide;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.version.OlderClient;
import io.github.penstock.core.RateLimiterOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

public class GlideVersionTest {
  /** Connects, where only strings can be handed over. */
  public static AutoCloseable connect(String uri) {
    return GlideRateLimiters.connect(uri, RateLimiterOptions.defaults());
  }

  @Test
  @DisplayName("a GLIDE that is too old: connecting says in one sentence what to set")
  void older() {
    Path jar = Path.of("target", "older", "valkey-glide-older.jar");
    try (OlderClient classes = OlderClient.of("valkey-glide-", jar)) {
      String here = GlideVersionTest.class.getName();
      assertThatThrownBy(() -> classes.call(here, "connect", "redis://localhost"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Penstock needs Valkey GLIDE 2.2.0 or newer for this, and valkey-glide-older.jar"
                  + " is on the class path: set <glide.version>2.3.1</glide.version>");
    }
  }
}
