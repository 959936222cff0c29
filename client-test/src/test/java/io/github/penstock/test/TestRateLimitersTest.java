package io.github.penstock.test;

import static io.github.penstock.test.PenstockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.testkit.server.TestServers;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PenstockExtension.class)
class TestRateLimitersTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Limit FIVE = FixedWindow.of(5, HOUR);

  @Test
  @DisplayName("hours pass when the test says so, for the server and for remembered denials")
  void clock(TestRateLimiters limiters) {
    RateLimiter limiter = limiters.limiter("login", FIVE);
    assertThat(limiter.tryAcquire("ann", 5)).isAllowed().hasRemaining(0);
    assertThat(limiter.tryAcquire("ann")).isDenied().hasRetryAfter(HOUR);
    assertThat(limiter.tryAcquire("ann")).isDenied().hasSource(DecisionSource.REMEMBERED);
    limiters.clock().advance(HOUR.minusNanos(1_000));
    assertThat(limiter.tryAcquire("ann")).isDenied().hasSource(DecisionSource.SERVER);
    limiters.clock().advance(Duration.ofNanos(1_000));
    assertThat(limiter.tryAcquire("ann")).isAllowed().hasRemaining(4);
    assertThat(limiters).hasCharged("login", "ann", 6).wasNotAskedAbout("bob");
  }

  @Test
  @DisplayName("a reset forgets all: charges, denials, leases, calls, the clock, an outage, shares")
  void reset() {
    RateLimiterOptions share =
        RateLimiterOptions.builder()
            .onUnavailable(OnUnavailable.local(1))
            .rememberDenials(Duration.ofMinutes(1))
            .build();
    try (TestRateLimiters limiters = TestRateLimiters.create(share)) {
      RateLimiter limiter = limiters.limiter("login", FIVE);
      RateLimiter leasing =
          limiters.limiter("leased", FIVE, new LeaseTerms(5, Duration.ofHours(1)));
      Instant start = limiters.clock().now();
      for (int i = 0; i < 3; i++) {
        assertThat(limiter.tryAcquire("ann", 5)).isAllowed().hasSource(DecisionSource.SERVER);
        assertThat(limiter.tryAcquire("ann")).isDenied();
        assertThat(limiter.tryAcquire("ann")).isDenied().hasSource(DecisionSource.REMEMBERED);
        assertThat(leasing.tryAcquire("ann", 3)).isAllowed().hasSource(DecisionSource.SERVER);
        limiters.clock().advance(Duration.ofMinutes(10));
        limiters.down();
        assertThat(limiter.tryAcquire("bob", 5)).isAllowed().hasSource(DecisionSource.LOCAL);
        assertThat(limiter.tryAcquire("bob")).isDenied();
        limiters.reset();
        assertThat(limiters.calls()).isEmpty();
        assertThat(limiters.clock().now()).isEqualTo(start);
        assertThat(leasing.peek("ann").remaining()).isEqualTo(5);
        limiters.clearCalls();
      }
    }
  }

  @Test
  @DisplayName("an outage begins and ends on demand, and nothing of it is charged")
  void outage(TestRateLimiters limiters) {
    RateLimiter limiter = limiters.limiter("login", FIVE);
    limiters.down();
    assertThatThrownBy(() -> limiter.tryAcquire("ann"))
        .isInstanceOf(NoDecisionException.class)
        .isNotInstanceOf(MayHaveBeenChargedException.class)
        .hasRootCauseInstanceOf(SimulatedOutageException.class);
    limiters.up();
    assertThat(limiter.peek("ann").remaining()).isEqualTo(5);
  }

  @Test
  @DisplayName("an answer that is lost or late may have been charged, and was")
  void lostAnswers(TestRateLimiters limiters) {
    RateLimiter limiter = limiters.limiter("login", FIVE);
    limiters.mayHaveBeenCharged();
    assertThatThrownBy(() -> limiter.tryAcquire("ann"))
        .isInstanceOf(MayHaveBeenChargedException.class);
    limiters.slow(Duration.ofSeconds(1));
    assertThatThrownBy(() -> limiter.tryAcquire("ann"))
        .isInstanceOf(MayHaveBeenChargedException.class);
    limiters.slow(Duration.ofMillis(999));
    assertThat(limiter.tryAcquire("ann")).isAllowed().hasRemaining(2);
  }

  @Test
  @DisplayName("options choose in an outage, a share by the test's clock")
  void choices() {
    RateLimiterOptions allow =
        RateLimiterOptions.builder().onUnavailable(OnUnavailable.ALLOW).build();
    try (TestRateLimiters limiters = TestRateLimiters.create(allow)) {
      limiters.down();
      assertThat(limiters.limiter("login", FIVE).tryAcquire("ann", 9)).isUndecided();
    }
    RateLimiterOptions share =
        RateLimiterOptions.builder().onUnavailable(OnUnavailable.local(2)).build();
    try (TestRateLimiters limiters = TestRateLimiters.create(share)) {
      RateLimiter limiter = limiters.limiter("api", TokenBucket.of(4).refill(2, HOUR));
      limiters.down();
      assertThat(limiter.tryAcquire("ann", 2)).isAllowed().hasSource(DecisionSource.LOCAL);
      assertThat(limiter.tryAcquire("ann")).isDenied().hasRetryAfter(HOUR);
      limiters.clock().advance(HOUR);
      assertThat(limiter.tryAcquire("ann")).isAllowed().hasRemaining(0);
    }
  }

  @Test
  @DisplayName("limiters with other options are another process on the same server")
  void severalProcesses(TestRateLimiters limiters) {
    try (TestRateLimiters other =
        limiters.with(RateLimiterOptions.builder().onUnavailable(OnUnavailable.DENY).build())) {
      assertThat(limiters.limiter("login", FIVE).tryAcquire("ann", 3)).isAllowed();
      assertThat(other.limiter("login", FIVE).tryAcquire("ann", 3)).isDenied().hasRemaining(2);
      limiters.down();
      assertThat(other.limiter("login", FIVE).tryAcquire("ann")).isUndecided();
      assertThat(limiters).hasCharged("login", "ann", 3);
    }
  }

  @Test
  @DisplayName("a call that waits for units gets them when the clock has moved, not before")
  void waits(TestRateLimiters limiters) throws Exception {
    // The clock moves while calls are made.
    AsyncRateLimiter api =
        limiters
            .with(RateLimiterOptions.builder().deadline(HOUR).build())
            .asyncLimiter("api", TokenBucket.of(1).refill(1, Duration.ofMinutes(1)));
    api.tryAcquire("ann");
    CompletableFuture<Decision> waiting = api.acquire("ann", 1, HOUR).toCompletableFuture();
    assertThat(waiting).isNotDone();
    while (!waiting.isDone()) {
      limiters.clock().advance(Duration.ofSeconds(1));
      Thread.sleep(1);
    }
    assertThat(waiting.get()).isAllowed();
    Duration passed =
        Duration.between(Instant.parse("2026-01-01T00:00:00Z"), limiters.clock().now());
    assertThat(passed).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("a reservation in an outage is not kept by a clock that stands still")
  void reservationInAnOutage(TestRateLimiters limiters) {
    EntryLimit tokens = EntryLimit.of("tokens", TokenBucket.of(100).refill(1, HOUR));
    limiters.down();
    assertThatThrownBy(() -> limiters.reservations("llm", HOUR).reserve("ann", tokens.reserve(60)))
        .isInstanceOf(NoDecisionException.class);
  }

  @Test
  @DisplayName("reservations and limits of what is in flight work, and run out by the clock")
  void reservations(TestRateLimiters limiters) {
    EntryLimit tokens = EntryLimit.of("tokens", TokenBucket.of(100).refill(1, HOUR));
    try (Reservation held = limiters.reservations("llm", HOUR).reserve("ann", tokens.reserve(60))) {
      assertThat(held.answer().allowed()).isTrue();
      assertThat(limiters.reservations("llm", HOUR).reserve("ann", tokens.reserve(60)).allowed())
          .isFalse();
      held.settle(10);
    }
    var exports = limiters.concurrency("exports", 1, HOUR);
    assertThat(exports.tryAcquire("ann").allowed()).isTrue();
    assertThat(exports.tryAcquire("ann").allowed()).isFalse();
    limiters.clock().advance(HOUR.multipliedBy(2));
    assertThat(exports.tryAcquire("ann").allowed()).isTrue();
  }

  @Test
  @DisplayName("a real server is there for who names its address")
  void realServer(URI redis) {
    assertThat(TestServers.one().call("PING")).isEqualTo("PONG");
    assertThat(redis).hasScheme("redis").hasPort(TestServers.one().url().port());
  }

  @Test
  @DisplayName("an assertion that does not hold says what the decision is")
  void failingAssertions(TestRateLimiters limiters) {
    RateLimiter limiter = limiters.limiter("login", FIVE);
    assertThatThrownBy(() -> assertThat(limiter.tryAcquire("ann")).isDenied())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Decision[allowed=true, limit=5");
    assertThatThrownBy(() -> assertThat(limiters).hasCharged("login", "ann", 2))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("but they were 1");
  }
}
