package io.github.penstock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.http.CombinedHeaders;
import io.github.penstock.core.internal.near.LastDenial;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.local.internal.HandClock;
import io.github.penstock.local.internal.RandomLimits;
import io.github.penstock.local.internal.ShareTable;
import io.github.penstock.local.internal.SubjectTable;
import io.github.penstock.local.internal.TierTerms;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocalRateLimitersTest {
  private static final long START_MILLIS = 1_700_000_000_000L;
  private static final List<String> SUBJECTS = List.of("one", "two", "%", "%25", "日本語");
  private static final int HISTORIES = 300;
  private static final int STEPS = 60;
  private static final int CALLS = 50;

  private final HandClock clock = new HandClock(START_MILLIS);

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  @DisplayName("P7 random histories of several subjects equal the exact model, call for call")
  void equalsModel(LimitKind kind) {
    long first = Long.getLong("penstock.seed", System.nanoTime());
    for (long seed = first; seed < first + HISTORIES; seed++) {
      play(kind, seed);
    }
  }

  private static void play(LimitKind kind, long seed) {
    Random random = new Random(seed);
    Limit limit = new RandomLimits(random).limit(kind);
    HandClock clock = new HandClock(START_MILLIS);
    ModelStore model = new ModelStore();
    RateLimiter limiter =
        LocalRateLimiters.create(RateLimiterOptions.defaults(), clock).limiter("api", limit);
    long nowUs = START_MILLIS * 1_000;
    long waitUs = 0;
    for (int i = 0; i < STEPS; i++) {
      long passed = random.nextBoolean() ? 0 : random.nextBoolean() ? waitUs : waitUs / 3 + 1;
      passed = Math.min(passed, 1_000_000_000_000L);
      clock.pass(passed);
      nowUs += passed;
      String subject = SUBJECTS.get(random.nextInt(SUBJECTS.size()));
      long units = 1 + random.nextLong(limit.tiers().get(0).capacity());
      int verb = random.nextInt(6);
      String cost =
          switch (verb) {
            case 0 -> "0";
            case 1 -> "-" + units;
            case 2 -> "-" + Limit.MAX_UNITS;
            case 3 -> "1*" + units;
            default -> Long.toString(units);
          };
      List<String> arguments = new ArrayList<>(List.of(cost));
      arguments.addAll(LimitEncoding.of(limit).arguments());
      arguments.add(Long.toString(nowUs));
      List<Long> expected =
          model
              .call(ScriptAlgorithm.named(kind.script().scriptName()), List.of(subject), arguments)
              .reply();
      List<Long> answer =
          switch (verb) {
            case 0 -> six(limiter.peek(subject));
            case 1 -> six(limiter.refund(subject, units));
            case 2 -> six(limiter.reset(subject));
            case 3 -> six(limiter.tryAcquireUpTo(subject, units));
            default -> six(limiter.tryAcquire(subject, units));
          };
      assertThat(answer)
          .as("-Dpenstock.seed=%d, call %d: %s of %s", seed, i, cost, limit)
          .isEqualTo(expected);
      waitUs = Math.max(0, expected.get(3));
    }
  }

  private static List<Long> six(Usage usage) {
    return List.of(
        1L,
        usage.limit(),
        usage.remaining(),
        usage.waitMicros(),
        usage.resetMicros(),
        (long) usage.tier());
  }

  private static List<Long> six(Decision decision) {
    return six(new AcquiredUnits(decision.allowed() ? 1 : 0, decision));
  }

  private static List<Long> six(AcquiredUnits acquired) {
    Decision decision = acquired.decision();
    assertThat(decision.source()).isEqualTo(DecisionSource.LOCAL);
    return List.of(
        acquired.units(),
        decision.limit(),
        decision.remaining(),
        decision.waitMicros(),
        decision.resetMicros(),
        (long) decision.tier());
  }

  @Test
  @DisplayName("a subject is dropped when nothing is used any more, and only then")
  void dropsIdleSubjects() {
    SubjectTable table = new SubjectTable(Integer.MAX_VALUE);
    Limit limit = FixedWindow.of(5, Duration.ofSeconds(1));
    TierTerms[] terms = TierTerms.of(limit);
    long nowUs = START_MILLIS * 1_000;
    for (int i = 0; i < 1_000; i++) {
      charge(table, "old" + i, limit, terms, nowUs);
    }
    charge(table, "kept", limit, terms, nowUs + 999_999);
    assertThat(table.size()).isEqualTo(1_001);
    for (int i = 0; i < 1_000; i++) {
      charge(table, "new" + i, limit, terms, nowUs + 1_000_000);
    }
    assertThat(table.size()).isEqualTo(1_001);
    assertThat(table.find("kept")).isNotNull();
  }

  private static void charge(
      SubjectTable table, String key, Limit limit, TierTerms[] terms, long nowUs) {
    Decision decision =
        table.call(key, limit.kind(), terms, nowUs, use -> use.charge(terms, 1, nowUs));
    assertThat(decision).isNotNull();
  }

  @Test
  @DisplayName("a table that is full has no place for another subject, until one is unused")
  void fullTable() {
    SubjectTable table = new SubjectTable(2);
    Limit limit = FixedWindow.of(5, Duration.ofSeconds(1));
    TierTerms[] terms = TierTerms.of(limit);
    charge(table, "one", limit, terms, 1_000_000);
    charge(table, "two", limit, terms, 1_000_000);
    assertThat(table.of("three", limit.kind(), terms, 1_999_999)).isNull();
    assertThat(table.of("one", limit.kind(), terms, 1_999_999)).isNotNull();
    table.of("three", limit.kind(), terms, 2_000_000);
    assertThat(table.of("three", limit.kind(), terms, 2_000_000)).isNotNull();
  }

  @Test
  @DisplayName("listeners hear of every call, and closed limiters answer none")
  void listenersAndClosing() {
    List<LimiterCall.Kind> heard = new ArrayList<>();
    RateLimitListener listener =
        new RateLimitListener() {
          @Override
          public void onDecision(
              LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
            heard.add(call.kind());
            assertThat(cause).isNull();
          }

          @Override
          public void onUsage(LimiterCall call, Usage usage) {
            heard.add(call.kind());
          }
        };
    LocalRateLimiters limiters =
        LocalRateLimiters.create(RateLimiterOptions.builder().listener(listener).build(), clock);
    RateLimiter limiter = limiters.limiter("api", FixedWindow.of(5, Duration.ofSeconds(1)));
    limiter.tryAcquire("one");
    limiter.tryAcquireUpTo("one", 2);
    limiter.tryAcquireAll(List.of("one"));
    limiter.peek("one");
    limiter.refund("one", 1);
    assertThat(heard)
        .containsExactly(
            LimiterCall.Kind.ACQUIRE,
            LimiterCall.Kind.ACQUIRE_UP_TO,
            LimiterCall.Kind.ACQUIRE,
            LimiterCall.Kind.PEEK,
            LimiterCall.Kind.REFUND);
    limiters.close();
    assertThatThrownBy(() -> limiter.tryAcquire("one"))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("policy api: its limiters are closed");
  }

  @Test
  @DisplayName("a batch has at most 10,000 calls; of more, none is made")
  void batchBound() {
    LocalRateLimiters limiters = LocalRateLimiters.create(RateLimiterOptions.defaults(), clock);
    Limit limit = FixedWindow.of(20_000, Duration.ofHours(1));
    RateLimiter limiter = limiters.limiter("api", limit);
    AsyncRateLimiter async = limiters.asyncLimiter("api", limit);
    List<String> subjects = Collections.nCopies(10_001, "one");
    List<SubjectCost> calls = Collections.nCopies(10_001, new SubjectCost("one", 1));
    String rule = ": a batch has at most 10,000 calls, not 10,001";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.tryAcquireAll(subjects))
        .withMessage("subjects" + rule);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.tryAcquireEach(calls))
        .withMessage("calls" + rule);
    assertThatIllegalArgumentException().isThrownBy(() -> async.tryAcquireAll(subjects));
    assertThatIllegalArgumentException().isThrownBy(() -> async.tryAcquireEach(calls));
    assertThat(limiter.peek("one").remaining()).isEqualTo(20_000);
    assertThat(limiter.tryAcquireAll(subjects.subList(1, 10_001))).hasSize(10_000);
  }

  @Test
  @DisplayName("reservations and limits of what is in flight work, and run out by the clock")
  void reservations() {
    LocalRateLimiters limiters = LocalRateLimiters.create(RateLimiterOptions.defaults(), clock);
    Duration keep = Duration.ofHours(1);
    EntryLimit tokens = EntryLimit.of("tokens", TokenBucket.of(100).refill(1, keep));
    Reservation held = limiters.reservations("llm", keep).reserve("ann", tokens.reserve(60));
    assertThat(held.allowed()).isTrue();
    assertThat(limiters.reservations("llm", keep).reserve("ann", tokens.reserve(60)).allowed())
        .isFalse();
    assertThat(held.settle(10)).isEqualTo(SettleResult.SETTLED);
    var exports = limiters.concurrency("exports", 1, keep);
    assertThat(exports.tryAcquire("ann").allowed()).isTrue();
    assertThat(exports.tryAcquire("ann").allowed()).isFalse();
    clock.pass(2 * TimeUnit.HOURS.toMicros(1));
    assertThat(exports.tryAcquire("ann").allowed()).isTrue();
    limiters.close();
    assertThatThrownBy(() -> limiters.reservations("llm", keep))
        .isExactlyInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  @DisplayName("limiters and reservations count under one limit, several tiers and all")
  void sharedWithReservations(LimitKind kind) throws Exception {
    Duration hour = Duration.ofHours(1);
    Limit limit = Limit.of(kind, List.of(LimitTier.of(40, 40, hour), LimitTier.of(50, 50, hour)));
    LocalRateLimiters limiters = LocalRateLimiters.create(RateLimiterOptions.defaults(), clock);
    RateLimiter limiter = limiters.limiter("api", limit);
    EntryLimit named = EntryLimit.of("api", limit);
    var reservations = limiters.reservations("calls", hour);
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      boolean reserves = i % 2 == 0;
      calls.add(
          () ->
              reserves
                  ? reservations.reserve("ann", named.charge(1)).allowed()
                  : limiter.tryAcquire("ann").allowed());
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int admitted = 0;
    try {
      for (Future<Boolean> each : threads.invokeAll(calls)) {
        admitted += each.get() ? 1 : 0;
      }
    } finally {
      threads.shutdown();
    }
    assertThat(admitted).isEqualTo(40);
    assertThat(limiter.peek("ann").remaining()).isZero();
    limiter.refund("ann", 3);
    assertThat(reservations.reserve("ann", named.charge(4)).allowed()).isFalse();
    assertThat(reservations.reserve("ann", named.charge(3)).allowed()).isTrue();
    limiter.reset("ann");
    assertThat(reservations.reserve("ann", named.charge(40)).allowed()).isTrue();
    assertThat(reservations.reserve("ann", named.charge("bob", 40)).allowed()).isTrue();
    clock.pass(2 * TimeUnit.HOURS.toMicros(1));
    assertThat(limiter.peek("ann").remaining()).isEqualTo(40);
  }

  @Test
  @DisplayName("n processes admit n shares for each window that an outage touches, and one more")
  void boundOfWindows() {
    Limit share = OnUnavailable.local(4).share(FixedWindow.of(20, Duration.ofSeconds(1)));
    long windowUs = 1_000_000;
    for (int passedUs : new int[] {333_333, 100_000, 999_999}) {
      ShareTable table = new ShareTable(clock::nanos);
      long admitted = 0;
      for (int i = 0; i < CALLS; i++) {
        AcquiredUnits acquired = table.tryAcquire("key", share, 1, 20, null);
        admitted += acquired == null ? 0 : acquired.units();
        clock.pass(passedUs);
      }
      long windows = (long) CALLS * passedUs / windowUs + 1;
      assertThat(admitted).isBetween(5 * windows / 2, 5 * (windows + 1));
    }
  }

  @Test
  @DisplayName("a subject begins with what the server's denial said, of each kind of limit")
  void beginsWithDenial() {
    long hourUs = TimeUnit.HOURS.toMicros(1);
    for (LimitKind kind : LimitKind.values()) {
      Limit share =
          Limit.of(kind, List.of(LimitTier.of(6, 6, Duration.of(hourUs, ChronoUnit.MICROS))));
      ShareTable table = new ShareTable(clock::nanos);
      LastDenial denial = new LastDenial(1, 2, hourUs / 2, hourUs / 8);
      AcquiredUnits first = table.tryAcquire("key", share, 1, 6, denial);
      assertThat(first).isNotNull();
      // A bucket that drains evenly has gained 6/8 of a unit since, a window fades from 4 to 3.
      assertThat(first.units()).as("%s", kind).isEqualTo(kind == LimitKind.SLIDING_WINDOW ? 3 : 2);
      AcquiredUnits other = table.tryAcquire("other", share, 1, 6, null);
      assertThat(other).isNotNull();
      assertThat(other.units()).isEqualTo(6);
      LastDenial old = new LastDenial(1, 0, hourUs / 2, hourUs / 2);
      AcquiredUnits third = table.tryAcquire("third", share, 1, 6, old);
      assertThat(third).isNotNull();
      assertThat(third.units()).as("%s, drained", kind).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  @DisplayName("a decision about a known subject allocates one Decision, and nothing else")
  void allocatesOneDecision(LimitKind kind) {
    Limit limit = Limit.of(kind, List.of(LimitTier.of(1_000, 1_000, Duration.ofSeconds(1))));
    RateLimiter limiter = LocalRateLimiters.create().limiter("api", limit);
    long others = allocated(() -> limiter.peek("one").remaining() >= 0);
    limiter.tryAcquire("one");
    long ofDecisions =
        allocated(() -> new Decision(true, 1, 0, 0, 0, 1, DecisionSource.LOCAL).allowed());
    assertThat(allocated(() -> limiter.tryAcquire("one").limit() > 0)).isEqualTo(ofDecisions);
    assertThat(others).as("a peek, which encodes its subject").isGreaterThan(ofDecisions);
  }

  /* The least of several attempts: what runs for the first time loads classes. */
  private static long allocated(BooleanSupplier call) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 5; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int held = 0;
      for (int i = 0; i < 1_000; i++) {
        held += call.getAsBoolean() ? 1 : 0;
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(held).isEqualTo(1_000);
      least = Math.min(least, bytes);
    }
    return least;
  }

  @Test
  @DisplayName("a limit of another number shares a window, one of another length does not")
  void sharedWindows() {
    LocalRateLimiters limiters = LocalRateLimiters.create(RateLimiterOptions.defaults(), clock);
    RateLimiter five = limiters.limiter("api", FixedWindow.of(5, Duration.ofSeconds(1)));
    five.tryAcquire("one", 5);
    RateLimiter eight = limiters.limiter("api", FixedWindow.of(8, Duration.ofSeconds(1)));
    RateLimiter longer = limiters.limiter("api", FixedWindow.of(8, Duration.ofSeconds(2)));
    RateLimiter bucket =
        limiters.limiter("api", TokenBucket.of(8).refill(1, Duration.ofSeconds(1)));
    assertThat(eight.peek("one").remaining()).isEqualTo(3);
    assertThat(longer.peek("one").remaining()).isEqualTo(8);
    assertThat(bucket.peek("one").remaining()).isEqualTo(8);
  }

  @Test
  @DisplayName("the headers of two limiters' decisions about one request")
  void combinedHeaders() {
    LocalRateLimiters limiters = LocalRateLimiters.create(RateLimiterOptions.defaults(), clock);
    RateLimiter api = limiters.limiter("api", FixedWindow.of(10, Duration.ofHours(1)));
    RateLimiter exports = limiters.limiter("exports", FixedWindow.of(2, Duration.ofHours(1)));
    CombinedHeaders headers =
        CombinedHeaders.of(api, api.tryAcquire("u")).and(exports, exports.tryAcquire("u"));
    assertThat(headers.fields())
        .containsEntry("RateLimit-Policy", "\"exports\";q=2;w=3600, \"api\";q=10;w=3600");
  }
}
