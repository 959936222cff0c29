package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.FaultCaseContext;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.load.StallWatch;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ServerEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A slot that goes from master to master, while its keys are charged and new ones are made. */
abstract class ReshardingRules extends SuiteRules {
  private static final int THREADS = 8;
  private static final int MOVES = 6;

  /** Of each thread, in each of the states that a slot goes through. */
  private static final int CALLS_PER_STATE = 10;

  private final String policy = AdapterTrial.unique().substring(0, 20);
  private final AtomicInteger fresh = new AtomicInteger();

  @LoadTest
  @Test
  @DisplayName("no call is lost or charged twice, and no MOVED, ASK or NOSCRIPT reaches a caller")
  void noCallIsLost() throws InterruptedException {
    ClusterDeployment cluster = (ClusterDeployment) trial().deployment();
    RateLimiters limiters = trial().limiters();
    RateLimiter one = limiters.limiter(policy, ChargeCount.LIMIT);
    String key = SubjectKey.of(policy, "one", ChargeCount.LIMIT);
    one.tryAcquire("one");
    try (CallLoad old = CallLoad.onOneSubject(THREADS, one::tryAcquire);
        CallLoad events =
            CallLoad.onOneSubject(
                THREADS,
                subject ->
                    limiters.limiter(freshPolicy(), ChargeCount.LIMIT).tryAcquire(subject))) {
      for (int i = 0; i < MOVES; i++) {
        cluster.flushScripts();
        cluster.moveSlot(
            key,
            () -> {
              old.awaitCalls(CALLS_PER_STATE);
              events.awaitCalls(CALLS_PER_STATE);
            });
      }
      long gone = System.nanoTime();
      List<LoadCall> onOldKey = old.finish();
      List<LoadCall> onNewKeys = events.finish();
      check(onOldKey, onNewKeys, gone, old.stalls());
    }
  }

  @Test
  @DisplayName("ASK is followed with ASKING, also before EVAL; MOVED is followed and learned")
  void redirections() {
    ClusterDeployment cluster = (ClusterDeployment) trial().deployment();
    RateLimiter limiter = trial().limiters().limiter(policy, ChargeCount.LIMIT);
    String moving = AdapterTrial.unique();
    TestServer from = cluster.owner(moving);
    TestServer to = cluster.next(from);
    to.call("SCRIPT", "FLUSH");
    cluster.beginMove(moving, to);
    assertThat(used(limiter.tryAcquire(moving))).isEqualTo(1);
    assertThat(used(limiter.tryAcquire(moving))).isEqualTo(2);
    to.call("SCRIPT", "FLUSH");
    assertThat(limiter.tryAcquireAll(List.of(moving, AdapterTrial.unique(), moving)))
        .extracting(outcome -> used(outcome.decision()))
        .containsExactlyInAnyOrder(3L, 1L, 4L);
    cluster.endMove(moving, to);
    assertThat(used(limiter.tryAcquire(moving))).isEqualTo(5);
    ServerEvents.await("a call that goes to the new owner at once")
        .until(
            () -> {
              long before = CommandCount.of(from, "evalsha").refused();
              limiter.tryAcquire(moving);
              return CommandCount.of(from, "evalsha").refused() == before;
            });
  }

  @Test
  @DisplayName("C3 calls that share trips get what they would get alone, also where a slot moves")
  void sharedTrips() throws Exception {
    ClusterDeployment cluster = (ClusterDeployment) trial().deployment();
    RateLimiters limiters = trial().limiters();
    RateLimiter limiter = limiters.limiter(policy, ChargeCount.LIMIT);
    String moving = AdapterTrial.unique();
    TestServer to = cluster.next(cluster.owner(moving));
    long shared = limiters.nearStatistics().sharedCalls();
    limiter.tryAcquire(AdapterTrial.unique());
    cluster.beginMove(moving, to);
    to.call("SCRIPT", "FLUSH");
    List<Decision> told = new ArrayList<>(callsAtOnce(limiter, moving));
    cluster.endMove(moving, to);
    told.addAll(callsAtOnce(limiter, moving));
    assertThat(told)
        .extracting(ReshardingRules::used)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, told.size()).boxed().toList());
    assertThat(limiters.nearStatistics().sharedCalls() > shared)
        .as("calls that shared trips")
        .isEqualTo(suite().sharesTripsInClusters());
  }

  private static List<Decision> callsAtOnce(RateLimiter limiter, String subject) throws Exception {
    return ConcurrentRun.each(32, 20, (thread, call) -> limiter.tryAcquire(subject));
  }

  private static long used(Decision decision) {
    return decision.limit() - decision.remaining();
  }

  private String freshPolicy() {
    return policy + "." + fresh.getAndIncrement();
  }

  private void check(
      List<LoadCall> onOldKey, List<LoadCall> onNewKeys, long gone, StallWatch stalls) {
    List<LoadCall> calls = new ArrayList<>(onOldKey);
    calls.addAll(onNewKeys);
    long charged = ChargeCount.ofOne(policy, "one", trial().server()) - 1;
    List<String> policies =
        IntStream.range(0, onNewKeys.size()).mapToObj(i -> policy + "." + i).toList();
    List<Long> onNew =
        policies.stream().map(name -> ChargeCount.ofOne(name, "one", trial().server())).toList();
    FaultCaseContext scene =
        new FaultCaseContext(
            trial().client(),
            trial().deployment().version(),
            FaultCase.SLOT_MOVED,
            false,
            2 * THREADS,
            AdapterTrial.OPTIONS.deadline());
    long most = onNew.stream().mapToLong(Long::longValue).max().orElse(0);
    CaseResultFile.keep(
        scene.result(
            calls, Map.of("most", Math.max(most, perCall(onOldKey, charged))), null, gone, stalls));
    boolean lost = !suite().keepsSightOfMovingSlots();
    CallLoad.expectNone("failed", calls, lost ? LoadCall::mayHaveBeenCharged : LoadCall::failed);
    assertThat(charged).as("charges on the old key").isEqualTo(admitted(onOldKey));
    assertThat(onNew).as("charges on each new key").allMatch(charges -> charges <= 1);
    assertThat(onNew.stream().mapToLong(Long::longValue).sum())
        .as("charges on all new keys")
        .isEqualTo(admitted(onNewKeys));
  }

  private static long admitted(List<LoadCall> calls) {
    return calls.stream().filter(LoadCall::admitted).count();
  }

  /** Charges per call, rounded up: 2 if only one call was charged twice. */
  private static long perCall(List<LoadCall> calls, long charged) {
    return TimedRules.ceil(charged, calls.size());
  }
}
