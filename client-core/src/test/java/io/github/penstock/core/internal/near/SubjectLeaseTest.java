package io.github.penstock.core.internal.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.internal.near.SubjectLease.LeaseRefill;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.time.SteppedTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SubjectLeaseTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TRIP = Duration.ofMillis(2);
  private static final byte[] KEY = "penstock:api:{u}:x".getBytes(StandardCharsets.US_ASCII);
  private static final Limit BUCKET = TokenBucket.of(1_000).refill(100, SECOND);
  private static final LeaseTerms TERMS = new LeaseTerms(100, SECOND);
  private final SteppedTime time = new SteppedTime();
  private final LeaseTable leases = new LeaseTable(64, time);
  private final SubjectLease lease = lease(BUCKET);

  @Test
  @DisplayName("L1 units are handed out after the answer, each once")
  void handsOutOnce() {
    assertThat(lease.handOut(1)).isNull();
    LeaseRefill taking = Objects.requireNonNull(lease.begin());
    long sent = time.nanos();
    time.pass(TRIP);
    assertThat(lease.handOut(1)).isNull();
    Decision own = lease.taken(2, answer(3, 900, 500_000), sent);
    taking.end();
    assertThat(own).isEqualTo(new Decision(true, 1_000, 904, 0, 500_000, 1, DecisionSource.SERVER));
    assertThat(lease.handOut(3))
        .isEqualTo(new Decision(true, 1_000, 901, 0, 498_000, 1, DecisionSource.LEASED));
    assertThat(lease.handOut(2)).isNull();
    assertThat(lease.handOut(1)).isNotNull();
    assertThat(lease.handOut(1)).isNull();
    assertThat(List.of(leases.counts().leased().sum(), leases.counts().used().sum()))
        .containsExactly(4L, 4L);
  }

  @Test
  @DisplayName("L1 a call without an answer hands nothing out, and the next may take a lease")
  void lostAnswer() {
    LeaseRefill taking = Objects.requireNonNull(lease.begin());
    taking.end();
    assertThat(lease.handOut(1)).isNull();
    assertThat(lease.begin()).isNotNull();
  }

  @Test
  @DisplayName(
      "L2 L3 units live from before the call, for what remains of their window, or as agreed")
  void life() {
    lives(BUCKET, 5_000_000, Duration.ofMillis(999));
    lives(FixedWindow.of(1_000, Duration.ofMinutes(1)), 30_000_000, Duration.ofMillis(999));
    lives(FixedWindow.of(1_000, Duration.ofMinutes(1)), 500_000, Duration.ofNanos(499_500_000));
    lives(SlidingWindow.of(1_000, SECOND), 1_200_000, Duration.ofNanos(199_800_000));
  }

  private void lives(Limit limit, long resetMicros, Duration expected) {
    SubjectLease lease = lease(limit);
    take(lease, 10, resetMicros);
    time.pass(expected.minus(TRIP).minusNanos(1));
    assertThat(lease.handOut(1)).as("%s", limit).isNotNull();
    time.pass(Duration.ofNanos(1));
    assertThat(lease.handOut(1)).as("%s", limit).isNull();
  }

  @Test
  @DisplayName("L2 an answer that comes after its window hands nothing out")
  void lateForItsWindow() {
    SubjectLease lease = lease(FixedWindow.of(1_000, SECOND));
    take(lease, 10, TRIP.toNanos() / 1_000);
    assertThat(lease.handOut(1)).isNull();
  }

  @Test
  @DisplayName("L2 a machine that was suspended hands nothing out")
  void suspended() {
    take(lease, 10, 5_000_000);
    time.stepWall(Duration.ofMinutes(10));
    assertThat(lease.handOut(1)).isNull();
  }

  @Test
  @DisplayName("L5 a lease is what was taken here lately, and a multiple of the cost")
  void asMuchAsLately() {
    assertThat(lease.callsToTake(1)).isOne();
    for (int i = 1; i <= 6; i++) {
      lease.asked(1, answer(1, 900, 1).decision());
      assertThat(lease.callsToTake(1)).isEqualTo(i);
    }
    assertThat(lease.callsToTake(2)).isEqualTo(3);
    assertThat(lease.callsToTake(4)).isOne();
    time.pass(Duration.ofMillis(501));
    assertThat(lease.callsToTake(1)).isOne();
  }

  @Test
  @DisplayName("L5 what was taken is never told as more than it was, and half of it at least")
  void metersTruly() {
    UnitMeter meter = new UnitMeter(Duration.ofMillis(500).toNanos());
    for (int i = 1; i <= 5_000; i++) {
      time.pass(Duration.ofMillis(1));
      meter.add(1, time.nanos());
      assertThat(meter.taken(time.nanos())).isBetween(Math.min(i, 400L), Math.min(i, 501L));
    }
  }

  @Test
  @DisplayName("L5 a lease is at most the most, and at most an eighth of what remains")
  void atMost() {
    lease.asked(90, answer(1, 900, 1).decision());
    lease.asked(90, answer(1, 900, 1).decision());
    assertThat(lease.callsToTake(1)).isEqualTo(100);
    lease.asked(1, answer(1, 79, 1).decision());
    assertThat(lease.callsToTake(1)).isEqualTo(9);
    lease.asked(1, answer(0, 0, 1).decision());
    assertThat(lease.callsToTake(1)).isOne();
  }

  @Test
  @DisplayName(
      "L5 while units are held that serve other calls, a greater cost asks for itself alone")
  void greaterCost() {
    take(lease, 10, 5_000_000);
    lease.asked(50, answer(1, 900, 1).decision());
    assertThat(lease.handOut(11)).isNull();
    assertThat(lease.callsToTake(11)).isOne();
    assertThat(lease.handOut(10)).isNotNull();
    assertThat(lease.callsToTake(11)).isEqualTo(61 / 11);
  }

  @Test
  @DisplayName("L6 a reset drops what is held, and what is on its way")
  void reset() {
    take(lease, 10, 5_000_000);
    leases.drop(KEY);
    assertThat(lease.handOut(1)).isNull();
    LeaseRefill taking = Objects.requireNonNull(lease.begin());
    long sent = time.nanos();
    time.pass(TRIP);
    leases.drop(KEY);
    lease.taken(1, answer(10, 900, 5_000_000), sent);
    taking.end();
    assertThat(lease.handOut(1)).isNull();
    take(lease, 10, 5_000_000);
    assertThat(lease.handOut(1)).isNotNull();
    assertThat(leases.counts().expired().sum()).isEqualTo(10 + 9);
  }

  @Test
  @DisplayName("L7 several tiers, leaky and interval buckets and costs above the lease ask")
  void whatIsLeased() {
    for (Limit limit :
        List.of(
            BUCKET.and(BUCKET),
            FixedWindow.of(1, SECOND).and(FixedWindow.of(1, SECOND)),
            SlidingWindow.of(1, SECOND).and(SlidingWindow.of(1, SECOND)),
            LeakyBucket.of(1).leak(1, SECOND),
            IntervalBucket.of(1).refill(1, SECOND))) {
      assertThat(leases.of(KEY, limit, TERMS)).isNull();
    }
    lease.asked(1_000, answer(1, 1_000_000, 1).decision());
    assertThat(lease.callsToTake(101)).isOne();
    assertThatIllegalArgumentException().isThrownBy(() -> new LeaseTerms(1, SECOND));
    assertThatIllegalArgumentException().isThrownBy(() -> new LeaseTerms(2, Duration.ofHours(2)));
  }

  @Test
  @DisplayName("L8 one call takes a lease, others are told when it has ended")
  void oneAtATime() {
    LeaseRefill taking = Objects.requireNonNull(lease.begin());
    assertThat(lease.begin()).isNull();
    assertThat(lease.taking()).isSameAs(taking);
    assertThat(taking.ending()).isNotDone();
    lease.taken(1, answer(10, 900, 5_000_000), time.nanos());
    taking.end();
    assertThat(taking.ending()).isDone();
    assertThat(lease.begin()).as("something is held").isNull();
    assertThat(lease.taking()).isNull();
  }

  @Test
  @DisplayName("L8 a subject keeps its place while it holds or takes something; others find none")
  void bounded() {
    LeaseTable small = new LeaseTable(8, time);
    for (int i = 0; i < 8; i++) {
      SubjectLease lease = Objects.requireNonNull(small.of(key(i), BUCKET, TERMS));
      assertThat(small.of(key(i), BUCKET, TERMS)).isSameAs(lease);
      take(lease, 10, 5_000_000);
    }
    assertThat(small.of(key(8), BUCKET, TERMS)).isNull();
    time.pass(SECOND.minus(TRIP.multipliedBy(8)));
    assertThat(small.of(key(8), BUCKET, TERMS)).isNull();
    time.pass(TRIP.plusMillis(1));
    assertThat(small.of(key(8), BUCKET, TERMS)).isNotNull();
    assertThat(small.counts().expired().sum()).isEqualTo(10);
  }

  private void take(SubjectLease lease, int calls, long resetMicros) {
    LeaseRefill taking = Objects.requireNonNull(lease.begin());
    time.pass(Duration.ofNanos(1));
    long sent = time.nanos();
    time.pass(TRIP);
    lease.taken(1, answer(calls + 1, 900, resetMicros), sent);
    taking.end();
  }

  private SubjectLease lease(Limit limit) {
    return Objects.requireNonNull(leases.of(KEY, limit, TERMS));
  }

  private static AcquiredUnits answer(long calls, long remaining, long resetMicros) {
    return new AcquiredUnits(
        calls,
        new Decision(
            calls > 0,
            1_000,
            remaining,
            calls > 0 ? 0 : 10_000,
            resetMicros,
            1,
            DecisionSource.SERVER));
  }

  private static byte[] key(int number) {
    return ("penstock:api:{" + number + "}:x").getBytes(StandardCharsets.US_ASCII);
  }
}
