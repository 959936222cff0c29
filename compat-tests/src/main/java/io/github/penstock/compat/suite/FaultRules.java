package io.github.penstock.compat.suite;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.fault.NetworkFault;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * One charge per call, and an end within the deadline, for any behaviour of the network; and once
 * it works again, so do the calls.
 */
@LoadTest
abstract class FaultRules extends SuiteRules {
  FaultTrial trial;

  /** How the calls are made, each for the subject it is given. */
  abstract Function<String, Decision> calls(RateLimiters limiters, String policy);

  /** True if the calls answer with stages. */
  abstract boolean asynchronous();

  @BeforeEach
  final void start() {
    trial = new FaultTrial(this);
  }

  @AfterEach
  final void close() {
    trial.close();
  }

  @Test
  @DisplayName("one charge per call when replies are dropped after execution")
  void repliesDropped() throws InterruptedException {
    trial.check(FaultCase.REPLIES_DROPPED, proxy -> proxy.set(NetworkFault.REPLY_DROPPED));
  }

  @Test
  @DisplayName("one charge per call when connections are cut after execution")
  void connectionsCut() throws InterruptedException {
    trial.check(FaultCase.CONNECTIONS_CUT, proxy -> proxy.set(NetworkFault.CUT));
  }

  @Test
  @DisplayName("one charge per call when replies are later than the deadline")
  void repliesLate() throws InterruptedException {
    Duration late = FaultTrial.DEADLINE.multipliedBy(2);
    trial.check(FaultCase.REPLIES_LATE, proxy -> proxy.delay(late));
  }

  @Test
  @DisplayName("one charge per call when nothing passes any more")
  void blackHole() throws InterruptedException {
    trial.check(FaultCase.BLACK_HOLE, proxy -> proxy.set(NetworkFault.BLACK_HOLE));
  }

  @Test
  @DisplayName("a connection that falls silent for good is replaced, where new ones work")
  void silence() throws InterruptedException {
    trial.checkSilence();
  }

  @Test
  @DisplayName("one charge per call when connections are refused")
  void refused() throws InterruptedException {
    trial.checkRefused();
  }

  @Test
  @DisplayName("the deadline holds when more calls wait for a stopped server than a pool has room")
  void poolExhausted() throws InterruptedException {
    trial.checkStopped(FaultCase.POOL_EXHAUSTED, 160, Duration.ofSeconds(3));
  }
}
