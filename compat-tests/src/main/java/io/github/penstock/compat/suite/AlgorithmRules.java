package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.AdapterScriptClient;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.RandomCalls;
import io.github.penstock.compat.vectors.VectorFile;
import io.github.penstock.compat.vectors.VectorRunner;
import io.github.penstock.compat.vectors.VectorSample;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.ServerClock;
import io.github.penstock.testkit.server.CommandCount;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rules of an adapter with one algorithm. */
abstract class AlgorithmRules extends ExactRules {
  private static final int RANDOM_SEQUENCES = 60;

  AlgorithmRules(ScriptAlgorithm algorithm) {
    super(algorithm);
  }

  @TestFactory
  @DisplayName("the published vectors, in a sample of all forms of replies, errors and arguments")
  Stream<DynamicTest> vectors() {
    VectorRunner runner = runner();
    return VectorSample.of(VectorFile.of(algorithm).sequences()).stream()
        .map(sequence -> dynamicTest(sequence.name(), () -> runner.replay(algorithm, sequence)));
  }

  private VectorRunner runner() {
    return new VectorRunner(new AdapterScriptClient(trial().scripts()), trial().server());
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P7 random calls are answered and stored as the model says")
  void randomCalls() {
    VectorRunner runner = runner();
    long first = Long.getLong("penstock.seed", System.nanoTime());
    for (long seed = first; seed < first + RANDOM_SEQUENCES; seed++) {
      try {
        runner.replay(algorithm, RandomCalls.sequence(algorithm, seed));
      } catch (AssertionError failure) {
        throw new AssertionError("again with -Dpenstock.seed=" + seed + ": ", failure);
      }
    }
  }

  @Test
  @DisplayName("P8 one call is one command")
  void oneCommand() {
    trial().requireOurs();
    RateLimiter limiter = limiter(500);
    limiter.tryAcquire("one");
    long before = scriptCalls();
    for (int i = 0; i < 50; i++) {
      limiter.tryAcquire("one");
    }
    assertThat(scriptCalls() - before).isBetween(50L, 50 + trial().mostChecks(trial().limiters()));
  }

  private long scriptCalls() {
    return trial().deployment().masters().stream()
        .flatMap(
            master -> Stream.of(Verb.values()).map(verb -> CommandCount.of(master, verb.name())))
        .mapToLong(CommandCount::calls)
        .sum();
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P3 waiting as long as told is enough on the server's clock, too")
  void waitingOnTheServersClock() {
    RateLimiter limiter =
        trial()
            .limiters()
            .limiter(
                AdapterTrial.unique(), LimitSetting.limit(algorithm, 5, 5, Duration.ofSeconds(1)));
    Decision denied = untilDenied(limiter);
    long answeredUs = ServerClock.nowUs(trial().server());
    ServerClock.awaitPast(
        trial().server(),
        answeredUs + TimeUnit.NANOSECONDS.toMicros(denied.retryAfter().toNanos()));
    assertThat(limiter.tryAcquire("one", 1).allowed()).isTrue();
  }

  /* A machine that stalls between two calls lets the limit recover meanwhile. */
  private static Decision untilDenied(RateLimiter limiter) {
    Decision last = limiter.tryAcquire("one", 1);
    while (last.allowed()) {
      last = limiter.tryAcquire("one", 1);
    }
    return last;
  }
}
