package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.fault.TripFault;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Calls of one subject that share trips. */
public abstract class TripRules extends NearRules {
  private static final int CALLERS = 32;
  private static final int CALLS = 20;

  private static final int FEW = 11;
  private static final int BURST = 1_000;

  /** This number of unanswered calls opens a circuit. */
  private static final int LOST = 5;

  private static final Set<TripFault> LOSSES =
      EnumSet.of(TripFault.NOT_DELIVERED, TripFault.CUT, TripFault.DROPPED, TripFault.LATE);

  private static final Set<TripFault> REDIRECTIONS = EnumSet.of(TripFault.MOVED, TripFault.ASK);

  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration LATE = DEADLINE.multipliedBy(2);
  private static final long ALL = CALLERS * CALLS;
  private static final Duration DAYS = Duration.ofDays(30);
  private static final Limit MANY = FixedWindow.of(1_000_000, DAYS);
  private static final RateLimiterOptions ASKING =
      PATIENT.toBuilder().rememberDenials(Duration.ZERO).build();

  @Test
  @DisplayName("C3 each call gets what it would get alone")
  void alone() throws Exception {
    Limit limit =
        TokenBucket.of(400).refill(1, DAYS).and(TokenBucket.of(10_000).refill(10_000, DAYS));
    try (RateLimiters limiters = connect(ASKING)) {
      List<Decision> told = told(limiters.limiter(POLICY, limit), 3);
      assertThat(sorted(told, Decision::remaining))
          .as("remaining units of those that are allowed")
          .containsExactlyElementsOf(LongStream.range(0, 133).map(i -> 1 + 3 * i).boxed().toList());
      assertThat(told)
          .allSatisfy(
              each -> {
                assertThat(each.limit()).isEqualTo(400);
                assertThat(each.tier()).isEqualTo(1);
                assertThat(each.enforced()).isTrue();
              })
          .filteredOn(each -> !each.allowed())
          .hasSize((int) ALL - 133)
          .allSatisfy(
              each -> {
                assertThat(each.remaining()).isEqualTo(1);
                assertThat(each.retryAfter()).isBetween(DAYS, DAYS.multipliedBy(2));
              });
    }
  }

  @Test
  @DisplayName("C1 calls of one subject take fewer commands, unless that is switched off")
  void fewer() throws Exception {
    assertThat(callsPerTrip(ASKING)).isGreaterThanOrEqualTo(2);
    assertThat(callsPerTrip(ASKING.toBuilder().shareTrips(false).build())).isZero();
  }

  private double callsPerTrip(RateLimiterOptions options) throws Exception {
    try (RateLimiters limiters = connect(options)) {
      RateLimiter limiter = limiters.limiter("p" + options.shareTrips(), MANY);
      limiter.tryAcquire("first");
      long before = CommandCount.of(server, "evalsha").calls();
      exact(told(limiter, 1));
      long commands = CommandCount.of(server, "evalsha").calls() - before;
      NearStatistics counted = limiters.nearStatistics();
      long expected = ALL - counted.sharedCalls() + 2 * counted.sharedTrips();
      assertThat(commands).as("%s", counted).isBetween(expected, expected + 5);
      return counted.callsPerTrip();
    }
  }

  @Test
  @DisplayName("C6 calls of leaky buckets, peeks and refunds are not shared")
  void notShared() throws Exception {
    try (RateLimiters limiters = connect(ASKING)) {
      RateLimiter leaky =
          limiters.limiter("leaky", LeakyBucket.of(1_000_000).leak(1_000_000, DAYS));
      RateLimiter limiter = limiters.limiter(POLICY, MANY);
      assertThat(told(leaky, 1)).allMatch(each -> each.allowed() && each.enforced());
      ConcurrentRun.each(CALLERS, CALLS, (thread, call) -> limiter.peek(SUBJECT));
      ConcurrentRun.each(CALLERS, CALLS, (thread, call) -> limiter.refund(SUBJECT, 1));
      assertThat(limiters.nearStatistics().sharedCalls()).isZero();
    }
  }

  @Test
  @DisplayName("C4 a server that forgets the script charges each call once")
  void flushed() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> flushes =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                server.call("SCRIPT", "FLUSH");
              }
            });
    try (RateLimiters limiters = connect(ASKING)) {
      exact(told(limiters.limiter(POLICY, MANY), 1));
    } finally {
      over.set(true);
      flushes.join();
    }
  }

  @Test
  @DisplayName("C4 calls whose answers are cut off are charged at most once")
  void cutOff() throws Exception {
    AtomicInteger mayBe = new AtomicInteger();
    RateLimiterOptions open =
        ASKING.toBuilder()
            .onUnavailable(OnUnavailable.ALLOW)
            .onOverload(OnOverload.ALLOW)
            .deadline(Duration.ofSeconds(2))
            .listener(
                (call, acquired, cause) -> mayBe.addAndGet(acquired.decision().enforced() ? 0 : 1))
            .build();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), open)) {
      RateLimiter limiter = limiters.limiter(POLICY, MANY);
      ServerEvents.await("a decision").until(() -> limiter.tryAcquire("first").enforced());
      long enforced = 0;
      for (int round = 0; round < 5; round++) {
        proxy.setOnce(NetworkFault.CUT, 1);
        enforced += told(limiter, 1).stream().filter(Decision::enforced).count();
      }
      proxy.set(NetworkFault.NONE);
      try (RateLimiters direct = connect(ASKING)) {
        assertThat(charged(direct.limiter(POLICY, MANY)))
            .as("charged; %d may have been", mayBe.get())
            .isBetween(enforced, enforced + mayBe.get());
      }
      assertThat(enforced).isGreaterThan(ALL);
      assertThat(mayBe.get()).isPositive();
    }
  }

  @Test
  @DisplayName("C4 a trip of which a command meets a fault charges each call at most once")
  void faults() throws Exception {
    for (TripFault fault : EnumSet.complementOf(EnumSet.copyOf(REDIRECTIONS))) {
      try (FaultProxy proxy = FaultProxy.before(server.url())) {
        proxy.delay(LATE);
        proxy.set(NetworkFault.NONE);
        meets(fault, proxy, new ServerEndpoint.Single(proxy.url()));
      }
    }
  }

  @Test
  @ResourceLock(SharedDeployments.PROXIED_CLUSTER)
  @DisplayName("C4 a trip of which a cluster's node redirects a command charges each call once")
  void redirections() throws Exception {
    if (!suiteClient().sharesTripsInClusters()) {
      Assumptions.abort("optional: calls to a cluster share no trips");
    }
    ClusterDeployment cluster = SharedDeployments.clusterBehindProxies();
    int owner = cluster.masters().indexOf(cluster.owner(SUBJECT));
    for (TripFault fault : REDIRECTIONS) {
      meets(fault, cluster.proxies().get(owner), cluster.endpoint());
    }
  }

  private void meets(TripFault fault, FaultProxy proxy, ServerEndpoint endpoint) throws Exception {
    for (int command = 1; command <= 2; command++) {
      for (long units : new long[] {FEW, CALLERS}) {
        meets(fault, command, units, proxy, endpoint);
      }
    }
  }

  private void meets(
      TripFault fault, int command, long units, FaultProxy proxy, ServerEndpoint endpoint)
      throws Exception {
    RateLimiterOptions options =
        ASKING.toBuilder()
            .onUnavailable(OnUnavailable.THROW)
            .onOverload(OnOverload.THROW)
            .deadline(LOSSES.contains(fault) ? DEADLINE : ASKING.deadline())
            .build();
    try (RateLimiters limiters = connect(endpoint, options)) {
      Limit limit = FixedWindow.of(units, DAYS);
      RateLimiter first = limiters.limiter(POLICY, limit);
      ServerEvents.firstResult("a connection", () -> first.peek(SUBJECT));
      proxy.setOnTrip(fault, command);
      List<Object> told;
      String policy;
      do {
        policy = UUID.randomUUID().toString();
        RateLimiter limiter = limiters.limiter(policy, limit);
        told = ConcurrentRun.each(CALLERS, 1, (thread, call) -> told(limiter));
      } while (proxy.tripCalls() == 0);
      long failed = told.stream().filter(PenstockException.class::isInstance).count();
      long mayBe = told.stream().filter(TripRules::mayBeCharged).count();
      List<Decision> decided =
          told.stream().filter(Decision.class::isInstance).map(Decision.class::cast).toList();
      List<Long> granted = sorted(decided, Decision::remaining);
      String what = "%s of command %d of %d: %s".formatted(fault, command, proxy.tripCalls(), told);
      boolean lost = LOSSES.contains(fault);
      int spoken = command == 1 ? proxy.tripCalls() - 1 : 1;
      if (lost) {
        // The connection may have other trips.
        assertThat(mayBe).as(what).isBetween(command == 1 ? spoken + 1L : 1, (long) CALLERS);
      } else {
        assertThat(mayBe).as(what).isZero();
        assertThat(failed).as(what).isEqualTo(fault == TripFault.UNKNOWN_COMMAND ? spoken : 0);
        assertThat((long) granted.size()).as(what).isEqualTo(Math.min(units, CALLERS - failed));
      }
      assertThat(granted).as(what).doesNotHaveDuplicates();
      int undelivered = fault == TripFault.NOT_DELIVERED && command == 1 ? proxy.tripCalls() : 0;
      try (RateLimiters others = connect(endpoint, ASKING)) {
        assertThat(charged(others.limiter(policy, limit)))
            .as(what)
            .isBetween((long) granted.size(), granted.size() + mayBe - undelivered);
      }
    }
  }

  private static Object told(RateLimiter limiter) {
    try {
      return limiter.tryAcquire(SUBJECT);
    } catch (PenstockException e) {
      return e;
    }
  }

  private static boolean mayBeCharged(Object told) {
    return told instanceof MayHaveBeenChargedException
        || String.valueOf(told).contains("may have been charged");
  }

  @Test
  @DisplayName("C5 calls that share trips while their limiters are closed have an end")
  void closed() throws Exception {
    AtomicInteger enforced = new AtomicInteger();
    AtomicInteger mayBe = new AtomicInteger();
    RateLimiters limiters = connect(ASKING.toBuilder().onUnavailable(OnUnavailable.ALLOW).build());
    RateLimiter limiter = limiters.limiter(POLICY, MANY);
    ServerEvents.await("a decision").until(() -> limiter.tryAcquire("first").enforced());
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(
            () -> {
              ServerEvents.await("decisions").until(() -> enforced.get() > CALLERS);
              limiters.close();
            });
    ConcurrentRun.each(CALLERS, 1, (thread, call) -> untilClosed(limiter, enforced, mayBe));
    closing.join();
    try (RateLimiters direct = connect(ASKING)) {
      assertThat(charged(direct.limiter(POLICY, MANY)))
          .as("charged; %s may have been", mayBe)
          .isBetween((long) enforced.get(), (long) enforced.get() + mayBe.get());
    }
  }

  /* Any other exception fails the test. */
  private static boolean untilClosed(
      RateLimiter limiter, AtomicInteger enforced, AtomicInteger mayBe) {
    while (true) {
      try {
        assertThat(limiter.tryAcquire(SUBJECT).enforced()).isTrue();
        enforced.incrementAndGet();
      } catch (NoDecisionException | OverloadedException e) {
        mayBe.addAndGet(e.kind() == FailureKind.NOT_SENT ? 0 : 1);
      } catch (IllegalStateException e) {
        assertThat(e).isExactlyInstanceOf(IllegalStateException.class);
        return true;
      }
    }
  }

  @Test
  @DisplayName("C5 threads that are interrupted are answered, as are those that share their trips")
  void interrupted() throws Exception {
    try (RateLimiters limiters = connect(ASKING)) {
      RateLimiter limiter = limiters.limiter(POLICY, MANY);
      exact(
          ConcurrentRun.each(
              CALLERS,
              CALLS,
              (thread, call) -> {
                if (thread % 2 == 0) {
                  Thread.currentThread().interrupt();
                }
                Decision decision = limiter.tryAcquire(SUBJECT);
                assertThat(Thread.interrupted()).isEqualTo(thread % 2 == 0);
                return decision;
              }));
    }
  }

  @Test
  @DisplayName("C5 calls that are cancelled are charged at most once, and take no decision along")
  void cancelled() {
    try (RateLimiters limiters = connect(ASKING)) {
      if (!(limiters instanceof AwaitedLimiters stages)) {
        Assumptions.abort("optional: a blocking call cannot be cancelled");
        return;
      }
      AsyncRateLimiter limiter = stages.async().asyncLimiter(POLICY, MANY);
      List<CompletableFuture<Decision>> kept = new ArrayList<>();
      List<CompletableFuture<Decision>> waiting = new ArrayList<>();
      for (int i = 0; i < BURST; i++) {
        CompletableFuture<Decision> call = limiter.tryAcquire(SUBJECT).toCompletableFuture();
        (i % 3 == 0 ? waiting : kept).add(call);
        if (i % CALLERS == 0) {
          waiting.forEach(each -> each.cancel(true));
          waiting.clear();
        }
      }
      List<Decision> told = kept.stream().map(AsyncResults::value).toList();
      assertThat(told)
          .allMatch(Decision::enforced)
          .extracting(Decision::remaining)
          .doesNotHaveDuplicates();
      assertThat(charged(limiters.limiter(POLICY, MANY)))
          .isBetween((long) told.size(), (long) BURST);
    }
  }

  private static long charged(RateLimiter limiter) {
    Usage usage = limiter.peek(SUBJECT);
    return usage.limit() - usage.remaining();
  }

  @LoadTest
  @Test
  @DisplayName("F1 a trip that is lost is one lost call, and does not open the circuit")
  void oneLostCall() {
    ServerEvents.await("a lost trip of at least five calls").until(this::isOneLostTrip);
  }

  /* Trips that were sent later on its connection are lost, too. */
  private boolean isOneLostTrip() throws Exception {
    CircuitEvents events = new CircuitEvents();
    RateLimiterOptions options =
        ASKING.toBuilder()
            .deadline(DEADLINE)
            .onUnavailable(OnUnavailable.ALLOW)
            .onOverload(OnOverload.ALLOW)
            .circuitBreaker(Duration.ofHours(1))
            .listener(events)
            .build();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), options)) {
      RateLimiter limiter = limiters.limiter(POLICY, MANY);
      ServerEvents.firstResult("a connection", () -> limiter.peek("first"));
      ServerEvents.await("a decision").until(() -> limiter.tryAcquire("first").enforced());
      int before = events.lost();
      proxy.delay(LATE);
      proxy.set(NetworkFault.NONE);
      proxy.setOnTrip(TripFault.LATE, 1);
      ConcurrentRun.each(CALLERS, 1, (thread, call) -> limiter.tryAcquire(SUBJECT));
      int lost = events.lost() - before;
      boolean few = lost - proxy.tripCalls() + 1 < LOST && lost >= LOST;
      if (few) {
        assertThat(events.opened()).as("circuits after %d lost calls", lost).isZero();
      }
      ServerEvents.await("a decision").until(() -> limiter.tryAcquire(SUBJECT).enforced());
      before = events.lost();
      proxy.set(NetworkFault.REPLY_DROPPED);
      // Those that go alone end at the deadline of the first.
      ConcurrentRun.each(CALLERS, 1, (thread, call) -> limiter.tryAcquire(SUBJECT));
      assertThat(events.opened()).as("circuits after a burst without answers").isOne();
      assertThat(events.lost() - before).isGreaterThanOrEqualTo(LOST);
      return few;
    }
  }

  @Test
  @DisplayName("C4 an error of the server is that of each call")
  void error() throws Exception {
    try (RateLimiters limiters = connect(ASKING)) {
      RateLimiter limiter = limiters.limiter(POLICY, MANY);
      limiter.tryAcquire(SUBJECT);
      String key = String.valueOf(server.call("RANDOMKEY"));
      server.call("DEL", key);
      server.call("LPUSH", key, "of another type");
      List<String> told =
          ConcurrentRun.each(
              CALLERS,
              2,
              (thread, call) -> {
                try {
                  return limiter.tryAcquire(SUBJECT).toString();
                } catch (PenstockException e) {
                  return String.valueOf(e.getMessage());
                }
              });
      assertThat(told).hasSize(2 * CALLERS).allMatch(each -> each.contains("WRONGTYPE"));
    }
  }

  private List<Decision> told(RateLimiter limiter, long cost) throws Exception {
    return ConcurrentRun.each(CALLERS, CALLS, (thread, call) -> limiter.tryAcquire(SUBJECT, cost));
  }

  private static List<Long> sorted(List<Decision> told, ToLongFunction<Decision> number) {
    return told.stream().filter(Decision::allowed).mapToLong(number).sorted().boxed().toList();
  }

  private static void exact(List<Decision> told) {
    assertThat(sorted(told, Decision::remaining))
        .containsExactlyElementsOf(LongStream.range(1_000_000 - ALL, 1_000_000).boxed().toList());
  }
}
