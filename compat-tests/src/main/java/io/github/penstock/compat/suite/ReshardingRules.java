package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.topology.TestCluster;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A slot that goes from master to master, while its keys are charged and new ones are made. */
abstract class ReshardingRules {
  private static final int THREADS = 8;
  private static final int MOVES = 6;

  private final String policy = Trial.unique().substring(0, 20);
  private final AtomicInteger fresh = new AtomicInteger();

  abstract Trial trial();

  @Test
  @DisplayName("no call is lost or charged twice, and no MOVED, ASK or NOSCRIPT reaches a caller")
  void noCallIsLost() throws InterruptedException {
    TestCluster cluster = (TestCluster) trial().deployment();
    RateLimiters limiters = trial().limiters();
    RateLimiter one = limiters.limiter(policy, Charges.LIMIT);
    String key = KeyRules.key(policy, "one", Charges.LIMIT);
    one.tryAcquire("one");
    try (Load old = Load.onOneSubject(THREADS, one::tryAcquire);
        Load news =
            Load.onOneSubject(
                THREADS,
                subject -> limiters.limiter(freshPolicy(), Charges.LIMIT).tryAcquire(subject))) {
      for (int i = 0; i < MOVES; i++) {
        cluster.flushScripts();
        cluster.moveSlot(key, Duration.ofMillis(80));
      }
      long gone = System.nanoTime();
      List<Load.Call> onOldKey = old.finish();
      List<Load.Call> onNewKeys = news.finish();
      check(onOldKey, onNewKeys, gone, old.longestStallNanos());
    }
  }

  private String freshPolicy() {
    return policy + "." + fresh.getAndIncrement();
  }

  private void check(List<Load.Call> onOldKey, List<Load.Call> onNewKeys, long gone, long stall) {
    List<Load.Call> calls = new ArrayList<>(onOldKey);
    calls.addAll(onNewKeys);
    long charged = Charges.ofOne(policy, "one", trial().server()) - 1;
    List<String> policies =
        IntStream.range(0, onNewKeys.size()).mapToObj(i -> policy + "." + i).toList();
    List<Long> onNew =
        policies.stream().map(name -> Charges.ofOne(name, "one", trial().server())).toList();
    CaseResult.Scene scene =
        new CaseResult.Scene(
            trial().client(),
            trial().deployment().version(),
            "slot moved 6 times",
            2 * THREADS,
            Trial.OPTIONS.deadline(),
            gone,
            stall);
    long most = onNew.stream().mapToLong(Long::longValue).max().orElse(0);
    CaseResults.keep(
        CaseResult.of(scene, calls, Map.of("most", Math.max(most, perCall(onOldKey, charged)))));
    Load.expectNone("failed", calls, Load.Call::failed);
    assertThat(charged).as("charges on the old key").isEqualTo(onOldKey.size());
    assertThat(onNew).as("charges on each new key").containsOnly(1L);
    assertThat(calls).hasSizeGreaterThan(200);
  }

  /** Charges per call, rounded up: 2 if only one call was charged twice. */
  private static long perCall(List<Load.Call> calls, long charged) {
    return TimedRules.ceil(charged, calls.size());
  }
}
