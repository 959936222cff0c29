package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.CaseBounds;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.CircuitResult;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server that is away, whose circuit is open. */
@LoadTest
public abstract class CircuitRules extends NearRules {
  private static final int THREADS = 64;
  private static final Duration DEADLINE = Duration.ofMillis(500);
  private static final Duration OPEN = Duration.ofSeconds(1);

  /** Nine tenths of that time: one call is sent no sooner. */
  private static final double SHORTEST_NANOS = OPEN.toNanos() * 0.9;

  private static final int ASKED = 3;
  private final CircuitEvents events = new CircuitEvents();

  @Test
  @DisplayName(
      "F1 while a server is stopped one call a second waits for it, and then all ask again")
  void stopped() throws InterruptedException {
    RateLimiterOptions options =
        PATIENT.toBuilder()
            .deadline(DEADLINE)
            .onUnavailable(OnUnavailable.ALLOW)
            .circuitBreaker(OPEN)
            .listener(events)
            .build();
    try (RateLimiters limiters = connect(options)) {
      ServerEvents.await("a decision")
          .until(() -> limiters.limiter(POLICY, ChargeCount.LIMIT).tryAcquire("first").enforced());
      try (CallLoad load =
          CallLoad.onManySubjects(
              THREADS, limiters.limiter(POLICY, ChargeCount.LIMIT)::tryAcquire)) {
        load.awaitCalls(2);
        server.freeze();
        ServerEvents.await("an open circuit").until(events::opened, begun -> begun > 0);
        load.awaitCalls(2);
        long from = System.nanoTime();
        int lost = events.lost();
        ServerEvents.await("calls that ask").until(() -> events.lost() - lost >= ASKED);
        int asked = events.lost() - lost;
        long to = System.nanoTime();
        server.thaw();
        ServerEvents.await("its end").until(events::closed, ended -> ended >= 1);
        load.awaitCalls(2);
        check(new Watched(from, to, asked), load);
      }
    }
  }

  /* A span of time, and how many calls that asked ended in it. */
  private record Watched(long from, long to, int asked) {
    long nanos() {
      return to - from;
    }
  }

  private void check(Watched watched, CallLoad load) throws InterruptedException {
    List<LoadCall> all = load.finish();
    List<LoadCall> meanwhile =
        all.stream()
            .filter(call -> call.startNanos() > watched.from && call.startNanos() < watched.to)
            .filter(CircuitRules::isWithout)
            .toList();
    List<Long> nanos = meanwhile.stream().map(LoadCall::nanos).sorted().toList();
    long without =
        all.stream().filter(CircuitRules::isWithout).mapToLong(LoadCall::endNanos).max().orElse(0);
    long stall = load.stalls().longestNanos();
    long slowest = nanos.get(nanos.size() - 1);
    CaseResultFile.keep(
        new CircuitResult(
            suiteClient().name(),
            server.version(),
            THREADS,
            TimeUnit.NANOSECONDS.toMicros(DEADLINE.toNanos()),
            TimeUnit.NANOSECONDS.toMicros(OPEN.toNanos()),
            TimeUnit.NANOSECONDS.toMicros(watched.nanos()),
            nanos.size(),
            nanos.get(nanos.size() / 2),
            TimeUnit.NANOSECONDS.toMicros(slowest),
            watched.asked,
            TimeUnit.NANOSECONDS.toMicros(Math.max(0, without - watched.to)),
            TimeUnit.NANOSECONDS.toMicros(stall)));
    assertThat(all).noneMatch(LoadCall::failed);
    assertThat(watched.asked)
        .as("calls that asked in %d ns, of which one may have begun before", watched.nanos())
        .isLessThanOrEqualTo((int) (watched.nanos() / SHORTEST_NANOS) + 2);
    assertThat(meanwhile.size()).as("calls that did not ask").isGreaterThan(THREADS);
    assertThat(Duration.ofNanos(slowest))
        .as("slowest call of %s", DEADLINE)
        .isLessThanOrEqualTo(CaseBounds.longestCall(DEADLINE, Duration.ofNanos(stall)));
  }

  private static boolean isWithout(LoadCall call) {
    return call.decision() != null && call.decision().source() == DecisionSource.UNAVAILABLE;
  }
}
