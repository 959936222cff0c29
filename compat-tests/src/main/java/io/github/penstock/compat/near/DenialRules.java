package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Denials that are remembered. */
@Tag(LoadTest.ONCE)
public abstract class DenialRules extends NearRules {
  private static final Duration BRIEFLY = Duration.ofMillis(250);

  /* One may be lost with its connection; another waits for the next one until its deadline. */
  private static final int ATTEMPTS = 3;

  private static final Limit FOUR = TokenBucket.of(4).refill(1, Duration.ofHours(1));
  private static final Limit ONE = TokenBucket.of(1).refill(1, Duration.ofHours(1));

  @Test
  @DisplayName("N1 a denied cost says nothing of a smaller one")
  void smallerCosts() {
    try (RateLimiters limiters = connect(PATIENT)) {
      RateLimiter limiter = limiters.limiter(POLICY, FOUR);
      assertThat(limiter.tryAcquire(SUBJECT, 5).impossible()).isTrue();
      assertThat(limiter.tryAcquire(SUBJECT, 1).allowed()).isTrue();
      assertThat(limiter.tryAcquire(SUBJECT, 4).allowed()).isFalse();
      assertThat(limiter.tryAcquire(SUBJECT, 3).allowed()).isTrue();
      assertThat(limiter.tryAcquire(SUBJECT, 4).source()).isEqualTo(DecisionSource.REMEMBERED);
    }
  }

  @Test
  @DisplayName("N1 a window whose limit is raised has room at once")
  void raisedLimit() {
    Duration hour = Duration.ofHours(1);
    try (RateLimiters limiters = connect(PATIENT)) {
      RateLimiter low = limiters.limiter(POLICY, FixedWindow.of(1, hour));
      assertThat(low.tryAcquire(SUBJECT).allowed()).isTrue();
      assertThat(low.tryAcquire(SUBJECT).allowed()).isFalse();
      assertThat(low.tryAcquire(SUBJECT).source()).isEqualTo(DecisionSource.REMEMBERED);
      RateLimiter raised = limiters.limiter(POLICY, FixedWindow.of(2, hour));
      assertThat(raised.tryAcquire(SUBJECT).allowed()).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("N3 whatever happens on the server, every denial has died after H")
  void outsideChanges(OutsideChange change) throws InterruptedException {
    try (RateLimiters limiters = connect(PATIENT.toBuilder().rememberDenials(BRIEFLY).build())) {
      RateLimiter limiter = limiters.limiter(POLICY, OutsideChange.LIMIT);
      denied(() -> limiter.tryAcquire(SUBJECT));
      long told = System.nanoTime();
      change.happen(server);
      TimeUnit.NANOSECONDS.sleep(told + BRIEFLY.toNanos() - System.nanoTime());
      Decision after = asked(() -> limiter.tryAcquire(SUBJECT));
      if (after != null) {
        assertThat(after.source()).isEqualTo(DecisionSource.SERVER);
        assertThat(after.allowed() || change == OutsideChange.CLOCK_BACK).isTrue();
      }
    }
  }

  @Test
  @DisplayName("N5 a refund and a reset of one's own are seen at once")
  void ownRefund() {
    try (RateLimiters limiters = connect(PATIENT)) {
      RateLimiter limiter = limiters.limiter(POLICY, ONE);
      denied(() -> limiter.tryAcquire(SUBJECT));
      limiter.refund(SUBJECT, 1);
      assertThat(limiter.tryAcquire(SUBJECT).allowed()).isTrue();
      denied(() -> limiter.tryAcquire(SUBJECT));
      limiter.reset(SUBJECT);
      assertThat(limiter.tryAcquire(SUBJECT).allowed()).isTrue();
    }
  }

  @Test
  @DisplayName("N5 a denial that comes while a refund is on its way is not remembered")
  void overlappingRefund() {
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), PATIENT)) {
      RateLimiter limiter = limiters.limiter(POLICY, ONE);
      assertThat(limiter.tryAcquire(SUBJECT).allowed()).isTrue();
      proxy.set(NetworkFault.REPLY_HELD);
      CompletableFuture<Decision> call = inThread(() -> limiter.tryAcquire(SUBJECT));
      ServerEvents.await("the denial is on its way").until(() -> proxy.faulted() > 0);
      CompletableFuture<Usage> refund = inThread(() -> limiter.refund(SUBJECT, 1));
      ServerEvents.await("the server has refunded")
          .until(() -> Long.valueOf(0).equals(server.call("DBSIZE")));
      proxy.set(NetworkFault.NONE);
      Decision denied = AsyncResults.value(call);
      assertThat(denied.allowed()).isFalse();
      assertThat(AsyncResults.value(refund).remaining()).isEqualTo(1);
      assertThat(limiter.tryAcquire(SUBJECT).allowed()).isTrue();
    }
  }

  @Test
  @DisplayName("N5 a refund that fails forgets, too, because it may have run")
  void failedRefund() {
    RateLimiterOptions brief = PATIENT.toBuilder().deadline(Duration.ofSeconds(1)).build();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), brief)) {
      RateLimiter limiter = limiters.limiter(POLICY, ONE);
      decided(limiter);
      denied(() -> decided(limiter));
      proxy.setOnce(NetworkFault.CUT, 1);
      /* One whose deadline passes before it arrives has failed without the fault. */
      ServerEvents.await("a refund whose answer is cut off")
          .until(
              () -> {
                assertThatThrownBy(() -> limiter.refund(SUBJECT, 1))
                    .isInstanceOf(RuntimeException.class);
                return proxy.faulted() > 0;
              });
      proxy.set(NetworkFault.NONE);
      assertThat(decided(limiter).source()).isEqualTo(DecisionSource.SERVER);
    }
  }

  @Test
  @DisplayName("N6 limiters that are made for each request remember together, without a trip")
  void limiterPerRequest() {
    try (RateLimiters limiters = connect(PATIENT)) {
      denied(() -> limiters.limiter(POLICY, ONE).tryAcquire(SUBJECT));
      long calls = CommandCount.of(server, "evalsha").calls();
      for (int i = 0; i < 1_000; i++) {
        assertThat(limiters.limiter(POLICY, ONE).tryAcquire(SUBJECT).source())
            .isEqualTo(DecisionSource.REMEMBERED);
      }
      // The check whether the server answers, which the limiters may send meanwhile, is a call,
      // too.
      assertThat(CommandCount.of(server, "evalsha").calls()).isBetween(calls, calls + 2);
    }
  }

  @Test
  @DisplayName("N6 however many subjects are denied, no more are remembered than were to be")
  void bounded() {
    try (RateLimiters limiters = connect(PATIENT.toBuilder().mostDenials(100).build())) {
      RateLimiter limiter = limiters.limiter(POLICY, ONE);
      for (int batch = 0; batch < 10; batch++) {
        String subjects = batch + "-";
        List<SubjectCost> never =
            IntStream.range(0, 500).mapToObj(i -> new SubjectCost(subjects + i, 2)).toList();
        assertThat(limiter.tryAcquireEach(never)).noneMatch(one -> one.decision().allowed());
      }
      assertThat(limiters.nearStatistics().rememberedDenials()).isBetween(50, 100);
    }
  }

  /* A limit may have units left, which come first. */
  private static void denied(Supplier<Decision> call) {
    Decision last = call.get();
    while (last.allowed()) {
      last = call.get();
    }
    assertThat(last.source()).isEqualTo(DecisionSource.SERVER);
  }

  /*
   * The first decision that can be had; null if the client has lost a server that was restarted, and
   * so does not tell from memory: whether it comes back is a rule about outages.
   */
  private static @Nullable Decision asked(Supplier<Decision> call) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return call.get();
      } catch (NoDecisionException notYet) {
        continue;
      }
    }
    return null;
  }

  private static Decision decided(RateLimiter limiter) {
    return ServerEvents.firstResult("a decision", () -> limiter.tryAcquire(SUBJECT));
  }

  private static <T> CompletableFuture<T> inThread(Supplier<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread = new Thread(() -> complete(result, call), "penstock-near");
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  private static <T> void complete(CompletableFuture<T> result, Supplier<T> call) {
    try {
      result.complete(call.get());
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }
}
