package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.resp.ServerClock;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Units that are charged ahead. */
@Tag(LoadTest.ONCE)
public abstract class LeaseRules extends NearRules {
  /** A limit that nothing comes back of for as long as a test takes. */
  static final Limit LIMIT = FixedWindow.of(20_000, Duration.ofHours(1));

  static final LeaseTerms TERMS = new LeaseTerms(100, Duration.ofHours(1));

  private static final Limit FEW = FixedWindow.of(2_000, Duration.ofHours(1));
  private static final Duration WINDOW = Duration.ofMillis(300);
  private static final int EDGES = 3;
  private static final int CALLS = 300;

  static Stream<Limit> windows() {
    return Stream.of(FixedWindow.of(10_000, WINDOW), SlidingWindow.of(10_000, WINDOW));
  }

  @Test
  @DisplayName("L1 what the server has charged is what was allowed, and what is held")
  void chargedAhead() throws Exception {
    try (RateLimiters limiters = connect(PATIENT);
        RateLimiters others = connect(PATIENT)) {
      RateLimiter one = limiters.limiter(POLICY, FEW, TERMS);
      RateLimiter other = others.limiter(POLICY, FEW, TERMS);
      List<Decision> all =
          ConcurrentRun.each(
              8, CALLS, (thread, call) -> (thread % 2 == 0 ? one : other).tryAcquire(SUBJECT));
      long allowed = all.stream().filter(Decision::allowed).count();
      long handedOut =
          all.stream().filter(decision -> decision.source() == DecisionSource.LEASED).count();
      NearStatistics here = limiters.nearStatistics();
      NearStatistics there = others.nearStatistics();
      assertThat(allowed).isLessThan(all.size());
      assertThat(handedOut).isGreaterThan(allowed / 2);
      assertThat(here.usedUnits() + there.usedUnits()).isEqualTo(handedOut);
      assertThat(charged(others, FEW)).isEqualTo(allowed + held(here) + held(there));
      assertThat(List.of(held(here), held(there)))
          .allSatisfy(held -> assertThat(held).isBetween(0L, TERMS.most()));
    }
  }

  @Test
  @DisplayName("L1 a lost answer, or a call that was never made, hands out nothing")
  void lostAnswers() {
    RateLimiterOptions brief = PATIENT.toBuilder().deadline(Duration.ofMillis(200)).build();
    List<Decision> all = new ArrayList<>();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), brief);
        RateLimiters steady = connect(PATIENT)) {
      RateLimiter limiter = limiters.limiter(POLICY, LIMIT, TERMS);
      int lost = calls(CALLS, limiter, all);
      proxy.setOnce(NetworkFault.CUT, 1);
      lost += calls(CALLS, limiter, all);
      while (held(limiters.nearStatistics()) > 0) {
        lost += calls(1, limiter, all);
      }
      proxy.set(NetworkFault.REFUSED);
      int refused = 0;
      // A lease that was under way can serve some of these.
      for (int i = 0; i < 2 * TERMS.most() && refused < 3; i++) {
        refused += calls(1, limiter, all);
      }
      assertThat(refused).as("refused calls").isEqualTo(3);
      lost += refused;
      proxy.set(NetworkFault.NONE);
      AtomicInteger later = new AtomicInteger();
      ServerEvents.await("the connection")
          .until(
              () -> {
                int failed = calls(1, limiter, all);
                later.addAndGet(failed);
                return failed == 0;
              });
      later.addAndGet(calls(CALLS, limiter, all));
      long allowed = all.stream().filter(Decision::allowed).count();
      long most = allowed + held(limiters.nearStatistics()) + (lost + later.get()) * TERMS.most();
      assertThat(charged(steady, LIMIT)).isBetween(allowed, most);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("windows")
  @DisplayName("L2 units die with the window in which they were charged")
  void windowEdge(Limit window) {
    try (RateLimiters limiters = connect(PATIENT)) {
      RateLimiter limiter = limiters.limiter(POLICY, window, TERMS);
      for (int i = 0; i < EDGES; i++) {
        Decision last = limiter.tryAcquire(SUBJECT);
        while (last.source() != DecisionSource.LEASED || held(limiters.nearStatistics()) == 0) {
          last = limiter.tryAcquire(SUBJECT);
        }
        ServerClock.awaitPast(server::call, endUs(window));
        assertThat(held(limiters.nearStatistics())).isPositive();
        assertThat(limiter.tryAcquire(SUBJECT).source()).isEqualTo(DecisionSource.SERVER);
      }
    }
  }

  /** Units that were leased and are neither used nor known to have expired. */
  static long held(NearStatistics seen) {
    return seen.leasedUnits() - seen.usedUnits() - seen.expiredUnits();
  }

  /* Makes calls, stores their decisions, and returns the number of failures. */
  private static int calls(int count, RateLimiter limiter, List<Decision> decided) {
    int failed = 0;
    for (int i = 0; i < count; i++) {
      try {
        decided.add(limiter.tryAcquire(SUBJECT));
      } catch (RuntimeException e) {
        failed++;
      }
    }
    return failed;
  }

  /** Units that the server has charged. */
  static long charged(RateLimiters limiters, Limit limit) {
    Usage usage = limiters.limiter(POLICY, limit).peek(SUBJECT);
    return usage.limit() - usage.remaining();
  }

  /* The state is "end:used" of a fixed window, and more of a sliding one; none if it has ended. */
  private long endUs(Limit window) {
    Object state = server.call("GET", SubjectKey.of(POLICY, SUBJECT, window));
    return state == null ? 0 : endUs(String.valueOf(state));
  }

  private static long endUs(String state) {
    return Long.parseLong(state.substring(0, state.indexOf(':')));
  }
}
