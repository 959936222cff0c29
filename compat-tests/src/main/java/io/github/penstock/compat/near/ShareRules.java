package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An outage in which each process enforces its share of the limit. */
@LoadTest
public abstract class ShareRules extends NearRules {
  private static final Duration DEADLINE = Duration.ofMillis(500);
  private static final Duration DAYS = Duration.ofDays(30);
  private static final Limit TWENTY = TokenBucket.of(20).refill(4, DAYS);
  private static final int PROCESSES = 4;

  /** Denials are forgotten at once, unless a test is about them. */
  private static final RateLimiterOptions SHARING =
      PATIENT.toBuilder()
          .deadline(DEADLINE)
          .rememberDenials(Duration.ZERO)
          .onUnavailable(OnUnavailable.local(PROCESSES))
          .build();

  private static final RateLimiterOptions HURRIED =
      SHARING.toBuilder()
          .deadline(DEADLINE.dividedBy(2))
          .circuitBreaker(Duration.ofMinutes(1))
          .build();

  @Test
  @DisplayName("a server that is killed: each process admits its share, in every style of call")
  void share() {
    try (RateLimiters limiters = connect(SHARING)) {
      RateLimiter limiter = decided(limiters, TWENTY);
      askServer(limiter, SUBJECT, 20);
      server.kill();
      awaitOutage(limiter);
      Decision first = limiter.tryAcquire(SUBJECT);
      assertThat(first)
          .as("of 20 units, 4 in 30 days, a fourth")
          .extracting(Decision::allowed, Decision::limit, Decision::remaining, Decision::source)
          .containsExactly(true, 5L, 4L, DecisionSource.LOCAL);
      assertThat(first.enforced()).isTrue();
      assertThat(first.resetAfter()).isBetween(DAYS.minusMinutes(1), DAYS);
      AcquiredUnits rest = limiter.tryAcquireUpTo(SUBJECT, 9);
      assertThat(rest.units()).isEqualTo(4);
      assertThat(rest.decision().source()).isEqualTo(DecisionSource.LOCAL);
      Decision denied = limiter.tryAcquire(SUBJECT);
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.retryAfter()).isBetween(DAYS.minusMinutes(1), DAYS);
      assertThat(limiter.tryAcquire(SUBJECT, 6).impossible()).isTrue();
      List<String> seven = Collections.nCopies(7, "batch");
      List<Outcome> batch = limiter.tryAcquireAll(seven);
      assertThat(batch)
          .extracting(outcome -> outcome.decision().source())
          .containsOnly(DecisionSource.LOCAL);
      assertThat(batch.stream().filter(outcome -> outcome.decision().allowed())).hasSize(5);
      assertThatThrownBy(() -> limiter.peek(SUBJECT)).isInstanceOf(NoDecisionException.class);
      assertThatThrownBy(() -> limiter.refund(SUBJECT, 1)).isInstanceOf(NoDecisionException.class);
    }
  }

  @Test
  @DisplayName("an outage that comes and goes gives no second burst, and is not charged afterwards")
  void comesAndGoes() {
    try (RateLimiters limiters = connect(SHARING)) {
      RateLimiter limiter = decided(limiters, TWENTY);
      askServer(limiter, SUBJECT, 6);
      for (int outage = 0; outage < 2; outage++) {
        server.freeze();
        Decision last = limiter.tryAcquire(SUBJECT, 5);
        assertThat(last.source()).isEqualTo(DecisionSource.LOCAL);
        assertThat(last.allowed()).as("the share in outage %d", outage).isEqualTo(outage == 0);
        server.thaw();
        awaitServer(limiter);
      }
      ServerEvents.firstResult("a reset", () -> limiter.reset(SUBJECT));
      server.kill();
      assertThat(limiter.tryAcquire(SUBJECT, 5))
          .as("after a reset that the server answered")
          .extracting(Decision::allowed, Decision::source)
          .containsExactly(true, DecisionSource.LOCAL);
    }
  }

  @Test
  @DisplayName("a subject that was denied begins with what the denial said")
  void beginsWithDenial() throws InterruptedException {
    Duration remembered = DEADLINE.multipliedBy(2);
    try (RateLimiters limiters = connect(SHARING.toBuilder().rememberDenials(remembered).build())) {
      RateLimiter limiter = decided(limiters, TWENTY);
      deny(limiter, "nothing", 20, 20);
      deny(limiter, "some", 12, 9);
      RateLimiter window =
          limiters.limiter("window", FixedWindow.of(8, DAYS).and(FixedWindow.of(40, DAYS)));
      deny(window, SUBJECT, 8, 8);
      TimeUnit.NANOSECONDS.sleep(remembered.toNanos());
      server.kill();
      Decision denied = limiter.tryAcquire("nothing");
      assertThat(denied)
          .extracting(Decision::allowed, Decision::remaining, Decision::source)
          .containsExactly(false, 0L, DecisionSource.LOCAL);
      assertThat(limiter.tryAcquireUpTo("some", 20).units()).as("a fourth of 8").isEqualTo(2);
      assertThat(limiter.tryAcquireUpTo("all", 20).units()).isEqualTo(5);
      Decision closed = window.tryAcquire(SUBJECT);
      assertThat(closed.source()).isEqualTo(DecisionSource.LOCAL);
      assertThat(closed.allowed()).isFalse();
      assertThat(closed.retryAfter()).isBetween(DAYS.minusMinutes(5), DAYS);
    }
  }

  @Test
  @DisplayName("what n processes admit in an outage of length W is bounded by the share")
  void bound() {
    Limit limit = TokenBucket.of(40).refill(400, Duration.ofSeconds(1));
    List<RateLimiters> processes = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(connect(HURRIED));
      }
      List<RateLimiter> limiters = processes.stream().map(each -> decided(each, limit)).toList();
      server.kill();
      limiters.forEach(ShareRules::awaitOutage);
      long admitted = 0;
      long local = 0;
      long begunNanos = System.nanoTime();
      while (local < 4_000 || System.nanoTime() - begunNanos < DEADLINE.toNanos()) {
        for (RateLimiter limiter : limiters) {
          Decision decision = limiter.tryAcquire(SUBJECT);
          assertThat(decision.source()).isEqualTo(DecisionSource.LOCAL);
          local++;
          admitted += decision.allowed() ? 1 : 0;
        }
      }
      double seconds = (System.nanoTime() - begunNanos) / 1e9;
      double bound = PROCESSES * (10 + 100 * seconds);
      assertThat((double) admitted).as("admitted in %.3f s", seconds).isLessThanOrEqualTo(bound);
      assertThat(admitted).as("each begins with its share").isGreaterThanOrEqualTo(4 * 10);
    } finally {
      processes.forEach(RateLimiters::close);
    }
  }

  @Test
  @DisplayName("a server whose memory is full is no outage, so the share decides nothing")
  void fullMemory() {
    try (RateLimiters limiters = connect(SHARING)) {
      RateLimiter limiter = decided(limiters, TWENTY);
      server.call("CONFIG", "SET", "maxmemory", "1");
      assertThat(limiter.tryAcquire(SUBJECT))
          .extracting(Decision::allowed, Decision::source)
          .containsExactly(false, DecisionSource.OVERLOADED);
      assertThat(limiter.tryAcquireUpTo(SUBJECT, 2).units()).isZero();
    }
  }

  @Test
  @DisplayName("units whose turn would come too late go back to the share")
  void givesBack() throws InterruptedException {
    try (RateLimiters limiters = connect(SHARING)) {
      RateLimiter limiter = decided(limiters, LeakyBucket.of(8).leak(4, DAYS));
      server.kill();
      awaitOutage(limiter);
      assertThat(limiter.tryAcquire(SUBJECT).delay()).isZero();
      Decision late = limiter.acquire(SUBJECT, 1, Duration.ZERO);
      assertThat(late.allowed()).isFalse();
      assertThat(late.source()).isEqualTo(DecisionSource.LOCAL);
      assertThat(limiter.tryAcquireUpTo(SUBJECT, 8).units()).as("of a share of 2").isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a reservation is undecided in an outage, and denied")
  void reservations() {
    try (RateLimiters limiters = connect(SHARING)) {
      decided(limiters, TWENTY);
      server.kill();
      try (Reservation undecided =
          limiters
              .reservations("calls", Duration.ofMinutes(1))
              .reserve(SUBJECT, EntryLimit.of("calls", TWENTY).charge(1))) {
        assertThat(undecided.answer().allowed()).isFalse();
        assertThat(undecided.answer().enforced()).isFalse();
      }
    }
  }

  /* By the server, which was asked for it; this process alone would never allow these costs. */
  private static void deny(RateLimiter limiter, String subject, long charged, long denied) {
    askServer(limiter, subject, charged);
    askServer(limiter, subject, denied);
    assertThat(limiter.tryAcquire(subject, denied).allowed()).isFalse();
  }

  private static void askServer(RateLimiter limiter, String subject, long cost) {
    ServerEvents.await("the server's answer")
        .until(() -> limiter.tryAcquire(subject, cost).source() != DecisionSource.LOCAL);
  }

  private static RateLimiter decided(RateLimiters limiters, Limit limit) {
    RateLimiter limiter = limiters.limiter(POLICY, limit);
    awaitServer(limiter);
    return limiter;
  }

  /* A process that has just started may not have connected for its check when the server ends. */
  private static void awaitOutage(RateLimiter limiter) {
    ServerEvents.await("an outage")
        .until(() -> limiter.tryAcquire("somebody").source() == DecisionSource.LOCAL);
  }

  private static void awaitServer(RateLimiter limiter) {
    ServerEvents.await("a decision")
        .until(() -> limiter.tryAcquire("somebody").source() == DecisionSource.SERVER);
  }
}
