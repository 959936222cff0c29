package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.DeadlineWatch;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.load.TimedFlood;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.Usage;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.VerdictChange.Verdict;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A server that is down, restarts or does not answer; and conditions that must not be mistaken for
 * that.
 */
abstract class OutageRules extends SuiteRules {
  private static final Limit LIMIT = LimitSetting.lasting(ScriptAlgorithm.TOKEN_BUCKET, 10);
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final int THREADS = 64;
  private static final int BATCH = 10_000;
  private static final long MOST_WAITING = 100_000;

  /* Clients retry by their own timers: retained calls are sent within these, or never. */
  private static final long QUIET_MS = 1_500;
  private static final long QUIET_AFTER_CONNECTING_MS = 4_000;

  private static final RateLimiterOptions ALLOWING =
      AdapterTrial.OPTIONS.toBuilder().onUnavailable(OnUnavailable.ALLOW).build();

  private final ServerProcess server = SharedDeployments.process();

  @AfterEach
  final void close() {
    server.close();
  }

  private RateLimiters connect(RateLimiterOptions options) {
    return connect(server.url(), options);
  }

  private RateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return AdapterTrial.connect(
        suite(), new ServerEndpoint.Single(url), options.toBuilder().deadline(DEADLINE).build());
  }

  @LoadTest
  @Test
  @DisplayName(
      "64 threads that a stopped server answers nothing end in time, each call charged once at most")
  void stopped() throws Exception {
    try (RateLimiters limiters = connect(ALLOWING);
        DeadlineWatch watch = DeadlineWatch.over(DEADLINE)) {
      awaitDecision(limiters);
      RateLimiter limiter = limiters.limiter("stopped", ChargeCount.LIMIT);
      assertThat(watch.inThreads(16, () -> limiter.tryAcquire("one"))).hasSize(16);
      server.freeze();
      assertThat(watch.inThreads(THREADS, () -> limiter.tryAcquire("one")))
          .allMatch(decision -> decision.allowed() && !decision.enforced());
      watch.check();
      server.thaw();
      Usage after = ServerEvents.firstResult("a peek", () -> limiter.peek("one"));
      assertThat(after.limit() - after.remaining()).isBetween(0L, 16L + THREADS);
    }
  }

  private record Verdicts(List<VerdictChange> changes) implements RateLimitListener {
    @Override
    public void onDecision(
        LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {}

    @Override
    public void onVerdict(VerdictChange change) {
      changes.add(change);
    }
  }

  @Test
  @DisplayName("a check through the client finds a stopped server, and one that answers again")
  void checkThroughClient() {
    Verdicts seen = new Verdicts(new CopyOnWriteArrayList<>());
    RateLimiterOptions through =
        ALLOWING.toBuilder().listener(seen).verdictConnection(false).deadline(DEADLINE).build();
    try (RateLimiters limiters = connect(through)) {
      awaitDecision(limiters);
      RateLimiter limiter = limiters.limiter("policy", LIMIT);
      server.freeze();
      ServerEvents.await("a call without the server")
          .until(
              () -> limiter.tryAcquire("one"),
              call -> call.allowed() && !call.enforced() && !seen.changes.isEmpty());
      server.thaw();
      ServerEvents.await("an answer")
          .until(
              () -> limiter.tryAcquire("one"), call -> call.enforced() && seen.changes.size() > 1);
      assertThat(seen.changes)
          .extracting(VerdictChange::verdict)
          .startsWith(Verdict.SILENT, Verdict.UP);
    }
  }

  @Test
  @DisplayName("F2.9 calls of one subject open no connections to a server that is silent")
  void opens() throws Exception {
    Verdicts seen = new Verdicts(new CopyOnWriteArrayList<>());
    RateLimiterOptions options =
        ALLOWING.toBuilder().listener(seen).deadline(Duration.ofMillis(200)).build();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters =
            AdapterTrial.connect(suite(), new ServerEndpoint.Single(proxy.url()), options)) {
      awaitDecision(limiters);
      RateLimiter limiter = limiters.limiter("opens", LIMIT);
      server.freeze();
      List<Thread> callers = new ArrayList<>();
      long before = 0;
      // One after the other, so that some are always under way, and later ones share their trips.
      for (int silent = 0; silent < THREADS; silent += seen.changes.isEmpty() ? 0 : 1) {
        before = silent == 0 ? proxy.connections() : before;
        Thread caller = new Thread(() -> limiter.tryAcquire("one"));
        caller.start();
        callers.add(caller);
        TimeUnit.MILLISECONDS.sleep(10);
      }
      for (Thread caller : callers) {
        caller.join();
      }
      // Those of the check and of clients that reconnect by themselves.
      assertThat(proxy.connections() - before).isLessThan(THREADS / 2);
      server.thaw();
    }
  }

  @LoadTest
  @Test
  @DisplayName("a batch on a stopped server has one deadline")
  void stoppedBatch() throws Exception {
    /* A machine that has no time for these calls is overloaded. */
    RateLimiterOptions throwing =
        AdapterTrial.OPTIONS.toBuilder().onOverload(OnOverload.THROW).build();
    try (RateLimiters limiters = connect(throwing);
        DeadlineWatch watch = DeadlineWatch.over(DEADLINE)) {
      awaitDecision(limiters);
      RateLimiter limiter = limiters.limiter("batch", LIMIT);
      server.freeze();
      List<Outcome> batch =
          watch.timed(() -> limiter.tryAcquireAll(Collections.nCopies(BATCH, "one")));
      watch.check();
      assertThat(batch).hasSize(BATCH).allMatch(Outcome.Failed.class::isInstance);
      server.kill();
    }
  }

  @Test
  @DisplayName("limiters can be made while the server is down, and decide once it is up")
  void downAtStart() {
    server.kill();
    try (RateLimiters limiters =
        suite()
            .connect(
                new ServerEndpoint.Single(server.url()),
                ALLOWING.toBuilder().deadline(DEADLINE).build())) {
      RateLimiter limiter = limiters.limiter("policy", LIMIT);
      // A slow machine may not know within the first deadline that nothing listens.
      ServerEvents.await("a call without the server")
          .until(() -> limiter.tryAcquire("one"), call -> call.allowed() && !call.enforced());
      server.restart();
      awaitDecision(limiters);
    }
  }

  @Test
  @DisplayName("a thread that is interrupted is answered by the server, and stays interrupted")
  void interrupted() {
    RateLimiterOptions patient = ALLOWING;
    try (RateLimiters limiters =
        AdapterTrial.connect(suite(), new ServerEndpoint.Single(server.url()), patient)) {
      awaitDecision(limiters);
      RateLimiter limiter = limiters.limiter("interrupted", LIMIT);
      int enforced = 0;
      Thread.currentThread().interrupt();
      try {
        for (int i = 0; i < 5; i++) {
          enforced += limiter.tryAcquire("one").enforced() ? 1 : 0;
        }
        assertThatThrownBy(() -> limiter.acquire("one", 1, DEADLINE))
            .isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(limiter.peek("one").remaining()).isEqualTo(5);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(enforced).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("limiters that are closed answer nothing, even where calls are allowed")
  void closed() {
    RateLimiters limiters = connect(ALLOWING);
    awaitDecision(limiters);
    limiters.close();
    limiters.close();
    assertThatThrownBy(() -> limiters.limiter("closed", LIMIT).tryAcquire("one"))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("policy closed: its limiters are closed");
    AsyncRateLimiter async = AdapterTrial.async(suite(), limiters).asyncLimiter("closed", LIMIT);
    assertThatThrownBy(() -> async.tryAcquire("one"))
        .isExactlyInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> async.tryAcquireAll(List.of()))
        .isExactlyInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> async.acquire("one", 1, Duration.ofMinutes(1)))
        .isExactlyInstanceOf(IllegalStateException.class);
  }

  @LoadTest
  @Test
  @DisplayName(
      "a flood of asynchronous calls to a server that is down ends, and is never sent later")
  void floodWhileDown() throws InterruptedException {
    flood(server.url(), server::kill, server::restart, QUIET_MS, false);
  }

  @LoadTest
  @Test
  @DisplayName("asynchronous calls that wait for a connection past their deadline are never sent")
  void floodWhileConnecting() throws InterruptedException {
    try (FaultProxy proxy = FaultProxy.before(server.url())) {
      Runnable away = () -> proxy.set(NetworkFault.UNREACHABLE);
      Runnable back = () -> proxy.set(NetworkFault.NONE);
      flood(proxy.url(), away, back, QUIET_AFTER_CONNECTING_MS, false);
    }
  }

  @LoadTest
  @Test
  @DisplayName(
      "a flood of asynchronous calls to a server that does not answer ends, and tells the truth")
  void floodWhileFrozen() throws InterruptedException {
    flood(server.url(), server::freeze, server::thaw, QUIET_MS, true);
  }

  /** A flood while the server is away; only calls that were sent may be executed later. */
  private void flood(RedisUrl url, Runnable away, Runnable back, long quietMs, boolean sent)
      throws InterruptedException {
    RateLimiterOptions options =
        AdapterTrial.OPTIONS.toBuilder().onOverload(OnOverload.THROW).build();
    try (RateLimiters limiters = connect(url, options)) {
      AsyncRateLimiter limiter = AdapterTrial.async(suite(), limiters).asyncLimiter("flood", LIMIT);
      awaitDecision(limiters);
      away.run();
      TimedFlood flood = TimedFlood.start(20_000, limiter::tryAcquire);
      flood.awaitFailures(DEADLINE);
      back.run();
      awaitDecision(limiters);
      Thread.sleep(quietMs);
      assertThat(keys() - 1)
          .as("calls that were executed later, of %d that said so", flood.unknown())
          .isBetween(0L, sent ? flood.unknown() : 0L);
    }
  }

  @LoadTest
  @Test
  @DisplayName("F2.7 no queue is unbounded: at most 100,000 asynchronous calls wait for an answer")
  void boundedQueue() {
    RateLimiterOptions patient =
        AdapterTrial.OPTIONS.toBuilder().deadline(Duration.ofMinutes(10)).build();
    try (RateLimiters limiters =
        AdapterTrial.connect(suite(), new ServerEndpoint.Single(server.url()), patient)) {
      awaitDecision(limiters);
      server.freeze();
      AsyncRateLimiter limiter = AdapterTrial.async(suite(), limiters).asyncLimiter("flood", LIMIT);
      TimedFlood flood = TimedFlood.start(120_000, limiter::tryAcquire);
      assertThat(flood.waiting()).isPositive();
      // Those beyond the bound are not sent, but may wait for the verdict; it comes within P.
      ServerEvents.await("at most 100,000 of 120,000 calls, long before their deadline")
          .until(() -> flood.waiting() <= MOST_WAITING);
      server.kill();
    }
  }

  /*
   * Until connections are established: that may take several deadlines on a busy machine, and is
   * not tested here.
   */
  private static void awaitDecision(RateLimiters limiters) {
    RateLimiter limiter = limiters.limiter("policy", LIMIT);
    ServerEvents.await("a decision")
        .ignoreExceptions()
        .until(() -> limiter.tryAcquire("one").enforced());
  }

  private long keys() {
    try (var connection = server.connect()) {
      return connection.integer("DBSIZE");
    }
  }
}
