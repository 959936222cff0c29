package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.faults.Fault;
import io.github.penstock.compat.faults.FaultProxy;
import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.compat.topology.Deployments;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Limit;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server that is down, restarts or does not answer. */
abstract class OutageRules {
  private static final Limit LIMIT = Setting.lasting(Algorithm.TOKEN_BUCKET, 10);
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final int THREADS = 16;
  private static final long MOST_WAITING = 65_536;

  private final ServerProcess server = Deployments.process();

  abstract RateLimiterCompatibilityTest suite();

  @AfterEach
  final void close() {
    server.close();
  }

  private RateLimiters connect(RateLimiterOptions options) {
    return connect(server.url(), options);
  }

  private RateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return Trial.connect(suite(), new Endpoint.Single(url), options.deadline(DEADLINE));
  }

  @Test
  @DisplayName("a restart under load fails calls only while the server is away")
  void restart() throws InterruptedException {
    String version = server.version();
    try (RateLimiters limiters = connect(Trial.OPTIONS)) {
      RateLimiter limiter = limiters.limiter(Trial.unique(), Charges.LIMIT);
      try (Load load = Load.onManySubjects(THREADS, limiter::tryAcquire)) {
        long calm = load.untilCalm();
        long begun = System.nanoTime();
        server.stop();
        load.during(Duration.ofMillis(700));
        server.restart();
        long gone = System.nanoTime();
        List<Load.Call> calls = load.finishCalm();
        CaseResult.Scene scene =
            new CaseResult.Scene(
                suite().client(),
                version,
                "server restarted",
                THREADS,
                DEADLINE,
                gone,
                load.longestStallNanos());
        CaseResult result = CaseResult.of(scene, calls, null);
        CaseResults.keep(result);
        Load.expectNone("failed before the restart", calls, call -> call.failedWithin(calm, begun));
        assertThat(result.errors()).isPositive();
        assertThat(calls.get(calls.size() - 1).failed()).isFalse();
        Deadlines.check(result, suite().longestRecovery());
      }
    }
  }

  @Test
  @DisplayName("without a server a call throws, unless told to allow or to deny")
  void choices() {
    Decisions seen = new Decisions();
    try (RateLimiters throwing = connect(Trial.OPTIONS.listener(seen));
        RateLimiters allowing = connect(choice(OnUnavailable.ALLOW, seen));
        RateLimiters denying = connect(choice(OnUnavailable.DENY, seen))) {
      assertThat(throwing.limiter("policy", LIMIT).tryAcquire("one").enforced()).isTrue();
      allowing.limiter("policy", LIMIT).tryAcquire("one");
      denying.limiter("policy", LIMIT).tryAcquire("one");
      server.kill();
      seen.causes.clear();
      assertThatThrownBy(() -> throwing.limiter("policy", LIMIT).tryAcquire("one"))
          .isInstanceOf(RuntimeException.class);
      Decision allowed = allowing.limiter("policy", LIMIT).tryAcquire("one");
      assertThat(allowed.allowed()).isTrue();
      assertThat(allowed.enforced()).isFalse();
      Decision denied = denying.limiter("policy", LIMIT).tryAcquire("one");
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.enforced()).isFalse();
      assertThat(seen.causes).as("what the listener was told").hasSize(3).doesNotContainNull();
    }
  }

  private static RateLimiterOptions choice(OnUnavailable choice, RateLimitListener listener) {
    return Trial.OPTIONS.onUnavailable(choice).listener(listener);
  }

  /** Keeps why calls were not decided by the server. */
  private static final class Decisions implements RateLimitListener {
    private final List<RuntimeException> causes = new CopyOnWriteArrayList<>();

    @Override
    public void onDecision(
        String policy, Decision decision, Duration latency, @Nullable RuntimeException cause) {
      if (cause != null) {
        causes.add(cause);
      }
    }

    @Override
    public void onFailure(String policy, RuntimeException failure, Duration latency) {
      causes.add(failure);
    }
  }

  @Test
  @DisplayName(
      "a flood of asynchronous calls to a server that is down ends, and is never sent later")
  void floodWhileDown() throws InterruptedException {
    try (RateLimiters limiters = connect(Trial.OPTIONS)) {
      connected(limiters);
      server.kill();
      Flood flood = Flood.start(Trial.async(suite(), limiters).asyncLimiter("flood", LIMIT));
      flood.awaitEnd(DEADLINE);
      server.restart();
      Thread.sleep(1_500);
      assertThat(keys()).as("calls that were executed after the restart").isZero();
    }
  }

  @Test
  @DisplayName("asynchronous calls that wait for a connection past their deadline are never sent")
  void floodWhileConnecting() throws InterruptedException {
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), Trial.OPTIONS)) {
      AsyncRateLimiter limiter = Trial.async(suite(), limiters).asyncLimiter("flood", LIMIT);
      connected(limiters);
      long before = keys();
      proxy.set(Fault.UNREACHABLE);
      Flood flood = Flood.start(limiter);
      flood.awaitEnd(DEADLINE);
      proxy.set(Fault.NONE);
      Thread.sleep(4_000);
      assertThat(keys() - before).as("calls that were executed after their deadline").isZero();
    }
  }

  @Test
  @DisplayName(
      "a flood of asynchronous calls to a server that does not answer ends, and tells the truth")
  void floodWhileFrozen() throws InterruptedException {
    try (RateLimiters limiters = connect(Trial.OPTIONS)) {
      connected(limiters);
      long before = keys();
      server.freeze();
      Flood flood = Flood.start(Trial.async(suite(), limiters).asyncLimiter("flood", LIMIT));
      flood.awaitEnd(DEADLINE);
      server.thaw();
      Thread.sleep(1_500);
      assertThat(keys() - before)
          .as("calls that were executed later, of %d that said so", flood.unknown())
          .isLessThanOrEqualTo(flood.unknown());
    }
  }

  @Test
  @DisplayName("no queue is unbounded: at most 65,536 asynchronous calls wait for an answer")
  void boundedQueue() {
    RateLimiterOptions patient = Trial.OPTIONS.deadline(Duration.ofSeconds(20));
    try (RateLimiters limiters =
        Trial.connect(suite(), new Endpoint.Single(server.url()), patient)) {
      connected(limiters);
      server.freeze();
      AsyncRateLimiter limiter = Trial.async(suite(), limiters).asyncLimiter("flood", LIMIT);
      assertThat(Flood.start(limiter, 100_000).waiting())
          .as("calls of 100,000 that wait for a stopped server")
          .isLessThanOrEqualTo(MOST_WAITING);
      server.kill();
    }
  }

  private static void connected(RateLimiters limiters) {
    limiters.limiter("policy", LIMIT).tryAcquire("one");
  }

  private long keys() {
    try (var connection = server.connect()) {
      return (Long) connection.call("DBSIZE");
    }
  }
}
