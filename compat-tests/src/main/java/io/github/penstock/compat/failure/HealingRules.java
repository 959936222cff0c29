package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.near.ClientRules;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that lead to a replica are renewed, and few connections serve, too. */
@LoadTest
public abstract class HealingRules extends ClientRules {
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final int THREADS = 8;

  /* A failover takes as long: before that, a replica may become a primary. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /* New connections a second: one, and up to two of Redisson 3.26. */
  private static final int MOST_RENEWED = 2;

  private static final String MOST_CLIENTS = "20";
  private static final int DECIDED = 50;

  static Iterable<ScenarioChoice> choices() {
    return ScenarioChoice.DENYING;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("choices")
  @DisplayName("an address that moves without cutting connections is followed")
  void movedAddress(ScenarioChoice choice) throws InterruptedException {
    try (ServerProcess old = SharedDeployments.process();
        ServerProcess now = SharedDeployments.process();
        FaultProxy proxy = FaultProxy.before(old.url());
        RateLimiters limiters = connect(proxy.url(), choice);
        CallLoad load = CallLoad.onManySubjects(THREADS, decided(limiters))) {
      load.awaitCalm(DECIDED);
      proxy.moveTo(now.url());
      follow(old, now);
      load.awaitCalm(DECIDED);
      keep(choice, "An address that moves", load.finish());
    }
  }

  @Test
  @DisplayName(
      "a replica's address is a mistake once a failover would be over; few connections heal")
  void replica() throws Exception {
    try (ServerProcess primary = SharedDeployments.process();
        ServerProcess replica = SharedDeployments.process()) {
      follow(replica, primary);
      ReplicaSync.await(primary, replica);
      connect(replica.url(), ScenarioChoice.ALLOW).close();
      ConcurrentRun.each(
          ScenarioChoice.DENYING.size(),
          1,
          (number, one) -> refused(replica.url(), ScenarioChoice.DENYING.get(number)));
    }
  }

  private Duration refused(RedisUrl url, ScenarioChoice choice) {
    try (FaultProxy proxy = FaultProxy.before(url);
        RateLimiters limiters = connect(proxy.url(), choice)) {
      RateLimiter limiter = limiters.limiter("replica", ChargeCount.LIMIT);
      long begun = System.nanoTime();
      LoadCall call = LoadCall.make("u", limiter::tryAcquire);
      long connections = proxy.connections();
      while (!ExpectedAnswer.THROWN.fits(call, choice)) {
        // While a client renews its connections, a call may be late; the replica answers the check.
        assertThat(call)
            .matches(
                one ->
                    ExpectedAnswer.OUTAGE.fits(one, choice)
                        || ExpectedAnswer.OVERLOADED.fits(one, choice),
                "an outage");
        call = LoadCall.make("u", limiter::tryAcquire);
      }
      Duration patience = Duration.ofNanos(System.nanoTime() - begun);
      assertThat(patience).isGreaterThanOrEqualTo(PATIENCE);
      assertThat(proxy.connections() - connections)
          .as("connections made in %s of healing", patience)
          .isBetween(1L, MOST_RENEWED * (patience.toSeconds() + 1));
      assertThatThrownBy(() -> limiters.awaitConnected(PATIENCE))
          .isInstanceOf(MisconfiguredException.class);
      List<LoadCall> later =
          Stream.generate(() -> LoadCall.make("u", limiter::tryAcquire)).limit(DECIDED).toList();
      keep(choice, "A replica's address, after 10 s", later);
      CallLoad.expectNone("do not throw", later, one -> !ExpectedAnswer.THROWN.fits(one, choice));
      return patience;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("choices")
  @ResourceLock(SharedDeployments.CLUSTER)
  @DisplayName(
      "a node of a cluster decides about its own subjects only, and all others are a mistake")
  void clustersNode(ScenarioChoice choice) {
    RedisUrl node = SharedDeployments.cluster().masters().get(0).url();
    try (RateLimiters limiters = connect(node, choice, PATIENCE)) {
      RateLimiter limiter = limiters.limiter("node", ChargeCount.LIMIT);
      List<LoadCall> calls =
          IntStream.range(0, DECIDED)
              .mapToObj(i -> LoadCall.make("u" + i, limiter::tryAcquire))
              .toList();
      keep(choice, "A cluster's node, no cluster URI", calls);
      List<LoadCall> others = calls.stream().filter(call -> !call.admitted()).toList();
      assertThat(others)
          .hasSizeBetween(1, DECIDED - 1)
          .allMatch(call -> ExpectedAnswer.THROWN.fits(call, choice));
      List<String> subjects = IntStream.range(0, 6).mapToObj(i -> "batch" + i).toList();
      /* A batch of Redisson's is only late; the next one goes as single calls. */
      limiter.tryAcquireAll(subjects);
      assertThat(limiter.tryAcquireAll(subjects)).allMatch(HealingRules::isDecidedOrMistake);
    }
  }

  private static boolean isDecidedOrMistake(Outcome outcome) {
    return outcome instanceof Outcome.Decided decided
        ? decided.decision().enforced()
        : outcome instanceof Outcome.Failed failed
            && failed.failure() instanceof MisconfiguredException;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("choices")
  @DisplayName("a server with few connections left serves with those that there are")
  void fewConnections(ScenarioChoice choice) throws InterruptedException {
    try (ServerProcess server = SharedDeployments.process("--maxclients", MOST_CLIENTS);
        RateLimiters limiters = connect(server.url(), choice);
        CallLoad load = CallLoad.onManySubjects(THREADS, decided(limiters))) {
      load.awaitCalm(DECIDED);
      keep(choice, "Few connections left (maxclients)", load.finish());
    }
  }

  private void keep(ScenarioChoice choice, String failure, List<LoadCall> calls) {
    if (choice.isOpen()) {
      FailureCheck.keep(suiteClient(), failure, calls.stream().map(HealingRules::chosen).toList());
    }
  }

  /* The call as its limiter ended it. */
  private static LoadCall chosen(LoadCall call) {
    return call.failure() instanceof UndecidedCallException undecided
        ? new LoadCall(call.subject(), call.startNanos(), call.endNanos(), undecided.decision, null)
        : call;
  }

  /** Calls that fail unless the server decides. */
  private static Function<String, Decision> decided(RateLimiters limiters) {
    RateLimiter limiter = limiters.limiter("healing", ChargeCount.LIMIT);
    return subject -> {
      Decision decision = limiter.tryAcquire(subject);
      if (!decision.enforced()) {
        throw new UndecidedCallException(decision);
      }
      return decision;
    };
  }

  private static void follow(ServerProcess replica, ServerProcess primary) {
    String port = Integer.toString(primary.url().port());
    replica.call("REPLICAOF", primary.url().host(), port);
  }

  private RateLimiters connect(RedisUrl url, ScenarioChoice choice) {
    return connect(url, choice, DEADLINE);
  }

  private RateLimiters connect(RedisUrl url, ScenarioChoice choice, Duration deadline) {
    return connect(url, choice.options(deadline));
  }

  /** Makes a load go on until the server decides. */
  private static final class UndecidedCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Decision decision;

    UndecidedCallException(Decision decision) {
      super("decided by " + decision.source());
      this.decision = decision;
    }
  }
}
