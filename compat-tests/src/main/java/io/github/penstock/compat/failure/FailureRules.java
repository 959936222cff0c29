package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.compat.near.ClientRules;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.FreePorts;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only an outage opens a limit; a configuration error is always thrown. */
public abstract class FailureRules extends ClientRules {
  /** Returns whether it tells a call that never left the process from one that did. */
  protected abstract boolean provesNotSent();

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("a failure ends calls as its kind says, under each choice and in each form")
  void rows(FailureRow row) throws Exception {
    try (FailureCaseContext scene = row.open()) {
      ExpectedAnswer answer = row.answer();
      boolean vague = answer == ExpectedAnswer.NOT_SENT && !provesNotSent();
      new FailureCheck(suiteClient(), row.text(), vague ? ExpectedAnswer.OUTAGE : answer).of(scene);
    }
  }

  @Test
  @DisplayName("where nothing listens the first line says so, and not that the deadline has passed")
  void refused() {
    ServerEndpoint nowhere = new ServerEndpoint.Single(RedisUrl.local(FreePorts.next()));
    RateLimiterOptions options = FailureCheck.options(OnUnavailable.THROW, Duration.ofSeconds(2));
    try (RateLimiters limiters = suiteClient().connector().connect(nowhere, options)) {
      RateLimiter api = limiters.limiter("refused", FixedWindow.of(9, Duration.ofHours(1)));
      await().atMost(Duration.ofMinutes(1)).until(() -> firstLine(api).contains("refused"));
      for (int i = 0; i < 5; i++) {
        assertThat(firstLine(api)).contains("refused").doesNotContain("deadline");
      }
    }
  }

  private static String firstLine(RateLimiter api) {
    try {
      return api.tryAcquire("u").toString();
    } catch (NoDecisionException e) {
      return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
  }

  @Test
  @ResourceLock(SharedDeployments.SENTINEL)
  @DisplayName("a master that the sentinels do not know is a mistake")
  void unknownMaster() throws Exception {
    SentinelGroup group = SharedDeployments.sentinel();
    var right = (ServerEndpoint.Sentinel) group.endpoint();
    var wrong = new ServerEndpoint.Sentinel("another", right.sentinels());
    new FailureCheck(suiteClient(), "Unknown master", ExpectedAnswer.THROWN)
        .of(new FailureCaseContext(wrong, null, List.of()));
  }
}
