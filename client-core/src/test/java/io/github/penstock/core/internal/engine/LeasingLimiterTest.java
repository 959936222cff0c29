package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.failure.NodeWatch;
import io.github.penstock.core.internal.near.NearLayer;
import io.github.penstock.core.internal.near.SubjectLease;
import io.github.penstock.core.internal.near.SubjectLease.LeaseRefill;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.internal.plan.CallPlanner;
import io.github.penstock.core.internal.plan.CircuitBreaker;
import io.github.penstock.core.internal.plan.LimitPolicy;
import io.github.penstock.core.internal.plan.OutcomeReaders;
import io.github.penstock.core.internal.waiting.ConnectionQueue;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.time.EagerTime;
import io.github.penstock.core.spi.time.SteppedTime;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which calls of a limiter that leases are sent, and for how much they ask. */
class LeasingLimiterTest {
  private static final List<Long> DENIED =
      List.of(0L, 1000L, 0L, 3_600_000_000L, 7_200_000_000L, 1L);
  private static final LeaseTerms TERMS = new LeaseTerms(100, Duration.ofHours(1));
  private static final Limit LIMIT = TokenBucket.of(1000).refill(1, Duration.ofSeconds(1));
  private final RecordedTransport transport = new RecordedTransport();
  private final AsyncTransportRateLimiters limiters =
      new AsyncTransportRateLimiters(
          transport,
          RateLimiterOptions.builder()
              .deadline(Duration.ofHours(1))
              .rememberDenials(Duration.ofMinutes(1))
              .build(),
          () -> {});
  private final RateLimiter limiter = limiters.limiter("api", LIMIT, TERMS);
  private final AsyncRateLimiter async = limiters.asyncLimiter("api", LIMIT, TERMS);

  @Test
  @DisplayName("L1 L5 a busy subject takes leases that double, blocking and asynchronously")
  void doubles() {
    transport.answers(allowed(1, 999), allowed(1, 998), allowed(2, 996), allowed(4, 992));
    transport.answers(allowed(8, 984));
    List<DecisionSource> sources = new ArrayList<>();
    List<Long> remaining = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Decision decision = i % 2 == 0 ? limiter.tryAcquire("u") : join(async.tryAcquire("u"));
      sources.add(decision.source());
      remaining.add(decision.remaining());
    }
    assertThat(transport.costs()).containsExactly("1", "1", "1*2", "1*4", "1*8");
    assertThat(sources).filteredOn(DecisionSource.LEASED::equals).hasSize(11);
    assertThat(remaining).startsWith(999L, 998L, 997L, 996L, 995L).endsWith(984L);
    assertThat(limiters.nearStatistics()).isEqualTo(new NearStatistics(0, 11, 11, 0, 0, 0, 0));
  }

  @Test
  @DisplayName("L5 near the limit every call asks for itself")
  void nearTheLimit() {
    transport.answers(allowed(1, 20), allowed(1, 8), allowed(1, 7), DENIED);
    for (int i = 0; i < 4; i++) {
      assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
    }
    assertThat(transport.costs()).containsExactly("1", "1", "1", "1");
  }

  @Test
  @DisplayName(
      "L1 fewer units than were asked for are what there is; none is a denial, which is remembered")
  void granted() {
    transport.answers(allowed(1, 900), allowed(1, 900), allowed(1, 900), DENIED);
    for (int i = 0; i < 3; i++) {
      limiter.tryAcquire("u");
    }
    Decision denied = limiter.tryAcquire("u");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.source()).isEqualTo(DecisionSource.SERVER);
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.REMEMBERED);
    assertThat(transport.costs()).containsExactly("1", "1", "1*2", "1*3");
  }

  @Test
  @DisplayName("L1 a lost answer hands nothing out")
  void lost() {
    transport.answers(
        allowed(1, 900), allowed(1, 900), new IllegalStateException("connection reset"));
    limiter.tryAcquire("u");
    limiter.tryAcquire("u");
    assertThatThrownBy(() -> limiter.tryAcquire("u")).hasMessageContaining("connection reset");
    transport.answers(allowed(2, 900));
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
    assertThat(transport.costs()).endsWith("1*2", "1*2");
  }

  @Test
  @DisplayName("L6 a refund of the whole capacity drops what is held, one of less does not")
  void refundOfAll() {
    warm();
    transport.answers(allowed(1, 999), allowed(1, 1000), allowed(1, 999));
    limiter.refund("u", 999);
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.LEASED);
    limiter.refund("u", 1000);
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
    NearStatistics seen = limiters.nearStatistics();
    assertThat(seen.leasedUnits()).isGreaterThan(seen.usedUnits() + seen.expiredUnits());
  }

  @Test
  @DisplayName("L7 other limits and greater costs ask for themselves")
  void otherLimits() {
    Limit leaky = LeakyBucket.of(1000).leak(1, Duration.ofSeconds(1));
    RateLimiter asking = limiters.limiter("leaky", leaky, TERMS);
    for (int i = 0; i < 9; i++) {
      transport.answers(allowed(1, 900));
      asking.tryAcquire("u");
    }
    for (int i = 0; i < 3; i++) {
      transport.answers(allowed(1, 900));
      limiter.tryAcquire("u", 101);
    }
    assertThat(transport.costs()).hasSize(12).allMatch(cost -> !cost.contains("*"));
  }

  @Test
  @DisplayName("L8 others wait for the call that takes a lease, and are served from it")
  void waits() {
    warm();
    useUp();
    CompletableFuture<Object> taking = new CompletableFuture<>();
    transport.answers(taking);
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(async.tryAcquire("u").toCompletableFuture());
    }
    assertThat(calls).noneMatch(CompletableFuture::isDone);
    taking.complete(allowed(8, 900));
    assertThat(calls).extracting(call -> call.join().allowed()).containsOnly(true);
    assertThat(calls).filteredOn(call -> call.join().source() == DecisionSource.LEASED).hasSize(7);
    assertThat(transport.sent()).hasSize(5);
  }

  private CallPlanner planner(RateLimiterOptions options, NearLayer near, TimeSource time) {
    AtomicBoolean closed = new AtomicBoolean();
    LimitPolicy policy = new LimitPolicy("api", LIMIT, options, time, closed);
    LimiterEvents events = new LimiterEvents(options, time, closed);
    OutcomeReaders readers =
        new OutcomeReaders(policy, near, events, NodeWatch.of(transport, time));
    CircuitBreaker breaker = new CircuitBreaker(options, call -> null, events, time);
    return new CallPlanner(policy, readers, breaker, TERMS);
  }

  @Test
  @DisplayName("L8 threads that wait wake one another until all are served")
  void threadsWakeOneAnother() throws Exception {
    RateLimiterOptions patient =
        RateLimiterOptions.builder().deadline(Duration.ofMinutes(10)).build();
    SteppedTime time = new SteppedTime();
    NearLayer near = new NearLayer(patient, time);
    CallPlanner planner = planner(patient, near, time);
    SubjectLease lease = near.lease(planner.policy().charge("u", 1).key(), LIMIT, TERMS);
    Decision answer = new Decision(true, 1000, 900, 0, 1_000_000, 1, DecisionSource.SERVER);
    lease.asked(9, answer);
    LeaseRefill taking = lease.begin();
    RateLimiter blocking =
        new BlockingRateLimiter(
            planner,
            new BlockingCalls(transport, time, RecordedTransport.classifier(transport)),
            new WaitingQueue(time));
    List<DecisionSource> sources = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread = new Thread(() -> sources.add(blocking.tryAcquire("u").source()));
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    time.awaitPending(8);
    lease.taken(1, new AcquiredUnits(9, answer), time.nanos());
    taking.end();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(sources).hasSize(8).containsOnly(DecisionSource.LEASED);
    assertThat(transport.sent()).isEmpty();
  }

  @Test
  @DisplayName("L8 when it fails, or is cancelled, the next of them takes one")
  void takesAfterFailure() {
    warm();
    useUp();
    CompletableFuture<Object> first = new CompletableFuture<>();
    CompletableFuture<Object> second = new CompletableFuture<>();
    transport.answers(first, second, allowed(4, 900));
    CompletableFuture<Decision> cancelled = async.tryAcquire("u").toCompletableFuture();
    CompletableFuture<Decision> failed = async.tryAcquire("u").toCompletableFuture();
    CompletableFuture<Decision> served = async.tryAcquire("u").toCompletableFuture();
    CompletableFuture<Decision> nobodys = async.tryAcquire("u").toCompletableFuture();
    nobodys.cancel(true);
    cancelled.cancel(true);
    second.completeExceptionally(new IllegalStateException("connection reset"));
    assertThat(List.of(failed, served)).allMatch(CompletableFuture::isDone);
    assertThat(List.of(failed, served))
        .filteredOn(CompletableFuture::isCompletedExceptionally)
        .hasSize(1);
    assertThat(transport.sent()).hasSize(4 + 3);
  }

  @Test
  @DisplayName("L8 thousands of stages wait for one taking after the other, and all end")
  void thousandsOfStages() {
    warm();
    useUp();
    int count = 4_000;
    List<CompletableFuture<Object>> takings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      takings.add(new CompletableFuture<>());
      transport.answers(takings.get(i));
    }
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(async.tryAcquire("u").toCompletableFuture());
    }
    int warming = transport.sent().size() - 1;
    for (int i = 0; i < transport.sent().size() - warming; i++) {
      takings.get(i).complete(allowed(2, 900));
    }
    assertThat(calls).allMatch(call -> call.isDone() && call.join().allowed());
    assertThat(transport.sent()).hasSize(warming + count / 2);
  }

  @Test
  @DisplayName("L8 a call that waits until its own deadline is not sent, and is undecided")
  void ownDeadline() {
    RateLimiterOptions hurried =
        RateLimiterOptions.builder()
            .deadline(Duration.ofMinutes(1))
            .onOverload(OnOverload.THROW)
            .build();
    EagerTime time = transport.time();
    NearLayer near = new NearLayer(hurried, time);
    CallPlanner planner = planner(hurried, near, time);
    SubjectLease lease = near.lease(planner.policy().charge("u", 1).key(), LIMIT, TERMS);
    lease.asked(5, new Decision(true, 1000, 900, 0, 1, 1, DecisionSource.SERVER));
    assertThat(lease.callsToTake(1)).isEqualTo(5);
    LeaseRefill endless = lease.begin();
    RateLimiter blocking =
        new BlockingRateLimiter(
            planner,
            new BlockingCalls(transport, time, RecordedTransport.classifier(transport)),
            new WaitingQueue(time));
    assertThatThrownBy(() -> blocking.tryAcquire("u"))
        .isInstanceOf(NoDecisionException.class)
        .hasMessageContaining("nothing was charged: no time was left to send the call");
    AsyncRateLimiter stages =
        new AsyncTransportRateLimiter(
            planner,
            new AsyncCalls(
                transport,
                RecordedTransport.classifier(transport),
                new LateCalls(
                    transport,
                    transport::openCheck,
                    time,
                    RecordedTransport.classifier(transport),
                    new LimiterEvents(RateLimiterOptions.defaults(), time, new AtomicBoolean())),
                new ConnectionQueue(time),
                time,
                null),
            new WaitingQueue(time));
    CompletableFuture<Decision> waiting = stages.tryAcquire("u").toCompletableFuture();
    time.pass(Duration.ofMinutes(1));
    assertThatThrownBy(waiting::join)
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was charged: no time was left to send the call");
    assertThat(transport.sent()).isEmpty();
    assertThat(lease.taking()).isSameAs(endless);
  }

  @Test
  @DisplayName("L1 L8 a batch is served from leases and takes them, and waits for none")
  void batches() {
    warm();
    transport.answers(allowed(8, 900), allowed(1, 900), allowed(1, 900));
    List<Outcome> outcomes = limiter.tryAcquireAll(Collections.nCopies(6, "u"));
    assertThat(outcomes).allMatch(outcome -> outcome.decision().allowed());
    assertThat(transport.costs()).containsExactly("1", "1", "1*2", "1*4", "1*8", "1", "1");
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.LEASED);
  }

  /* Five calls, the last of which has left three units here. */
  private void warm() {
    transport.answers(allowed(1, 900), allowed(1, 900), allowed(2, 900), allowed(4, 900));
    for (int i = 0; i < 5; i++) {
      limiter.tryAcquire("u");
    }
  }

  private void useUp() {
    for (int i = 0; i < 3; i++) {
      limiter.tryAcquire("u");
    }
  }

  private static List<Long> allowed(long calls, long remaining) {
    return List.of(calls, 1000L, remaining, 0L, 100_000L, 1L);
  }

  private static Decision join(CompletionStage<Decision> stage) {
    return stage.toCompletableFuture().join();
  }
}
