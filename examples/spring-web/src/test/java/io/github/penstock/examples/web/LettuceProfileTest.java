package io.github.penstock.examples.web;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The same, and what only Spring's factory for Lettuce does. */
class LettuceProfileTest extends LimitedWebTest {
  @Autowired private LettuceConnectionFactory factory;

  @Test
  @DisplayName("the limiter follows when the factory replaces its connection")
  void replaced() {
    await().atMost(Duration.ofMinutes(1)).until(() -> limited("replaced"));
    factory.resetConnection();
    await().atMost(Duration.ofMinutes(1)).until(() -> limited("replaced"));
    factory.stop();
    factory.start();
    await().atMost(Duration.ofMinutes(1)).until(() -> limited("replaced"));
  }
}
