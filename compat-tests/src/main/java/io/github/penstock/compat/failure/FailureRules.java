package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.compat.near.ClientRules;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.FreePorts;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Only an outage opens a limit; a configuration error is always thrown. */
public abstract class FailureRules extends ClientRules {
  /** Returns whether it tells a call that never left the process from one that did. */
  protected abstract boolean provesNotSent();

  /** Returns whether the client keeps lost connections and redirections to itself. */
  protected abstract boolean hidesFailures();

  static List<FailureScenario> scenarios() {
    return FailureScenario.all();
  }

  static List<FailureScenario> clusterScenarios() {
    return FailureScenario.all().stream().filter(FailureScenario::cluster).toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  @DisplayName("a scenario of failures.json on a single server")
  void single(FailureScenario scenario) throws Exception {
    try (ScenarioServers servers = ScenarioServers.single(scenario)) {
      play(scenario, servers);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clusterScenarios")
  @ResourceLock(SharedDeployments.PROXIED_CLUSTER)
  @DisplayName("a scenario of failures.json on a cluster")
  void cluster(FailureScenario scenario) throws Exception {
    try (ScenarioServers servers = ScenarioServers.cluster(scenario)) {
      play(scenario, servers);
    }
  }

  private void play(FailureScenario scenario, ScenarioServers servers) throws Exception {
    ExpectedAnswer answer = known(scenario.answer());
    if (hidesFailures() && scenario.policy().equals("lost")) {
      answer = answer.or(FailureKind.OVERLOADED);
    }
    try (FailureCheck check = new FailureCheck(suiteClient(), scenario, answer)) {
      if (scenario.isNew()) {
        servers.begin();
        check.connect(servers.endpoint());
        check.start(servers.endpoint());
      } else {
        int clients = check.connect(servers.endpoint());
        check.ready();
        if (scenario.asked()) {
          servers.awaitChecks(clients);
        }
        servers.begin();
      }
      Map<String, Long> charges = check.check(servers::before);
      servers.end();
      // A redirection proves that nothing ran; one of the proxy's is followed all the same.
      boolean follows = hidesFailures() && scenario.subject().startsWith("-MOVED");
      if (!scenario.ran().isEmpty() && !follows) {
        charges.forEach(
            (subject, units) ->
                ServerEvents.await("as many charges as expected of " + subject)
                    .until(() -> servers.charged(subject) / units, scenario.ran()::contains));
      }
      if (!scenario.stays()) {
        check.ready();
      }
    }
  }

  private ExpectedAnswer known(ExpectedAnswer answer) {
    return provesNotSent() || !answer.kinds().contains(FailureKind.NOT_SENT)
        ? answer
        : answer.or(FailureKind.NOT_ANSWERED);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("a failure ends calls as its kind says, under each choice and in each form")
  void rows(FailureRow row) throws Exception {
    try (FailureCaseContext scene = row.open();
        FailureCheck check = new FailureCheck(suiteClient(), row.text(), known(row.answer()))) {
      check.of(scene);
    }
  }

  @Test
  @DisplayName("where nothing listens the first line says so, and not that the deadline has passed")
  void refused() {
    ServerEndpoint nowhere = new ServerEndpoint.Single(RedisUrl.local(FreePorts.next()));
    RateLimiterOptions options = ScenarioChoice.THROW.options(Duration.ofSeconds(2));
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
    try (FailureCheck check =
        new FailureCheck(suiteClient(), "Unknown master", ExpectedAnswer.THROWN)) {
      check.of(new FailureCaseContext(wrong, null, List.of()));
    }
  }
}
