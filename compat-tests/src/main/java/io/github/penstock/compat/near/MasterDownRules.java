package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.DeadlineWatch;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A cluster of which one master is away. */
@LoadTest
public abstract class MasterDownRules extends ClientRules {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofDays(1));
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration LONGEST_DEADLINE = Duration.ofSeconds(32);
  private static final Duration OPEN = Duration.ofSeconds(1);

  /** This number of unanswered calls opens a circuit. */
  private static final int LOST = 5;

  private static final int SUBJECTS = 60;
  private static final int ROUNDS = 10;
  private final CircuitEvents events = new CircuitEvents();
  private final String policy = UUID.randomUUID().toString();

  @Test
  @DisplayName("F1 where one master of a cluster is away, only its circuit is open")
  void oneMasterAway() throws Exception {
    ClusterDeployment cluster = SharedDeployments.cluster();
    ServerProcess away = cluster.master(0);
    RateLimiterOptions options =
        NearRules.PATIENT.toBuilder()
            .deadline(DEADLINE)
            .onUnavailable(OnUnavailable.ALLOW)
            .circuitBreaker(OPEN)
            .listener(events)
            .build();
    try (RateLimiters limiters = suiteClient().connector().connect(cluster.endpoint(), options)) {
      RateLimiter limiter = limiters.limiter(policy, LIMIT);
      List<String> subjects = IntStream.range(0, SUBJECTS).mapToObj(i -> "u" + i).toList();
      List<String> there = subjects.stream().filter(one -> owner(cluster, one) == away).toList();
      List<String> elsewhere = subjects.stream().filter(one -> !there.contains(one)).toList();
      subjects.forEach(subject -> awaitServer(limiter, subject));
      long began = System.nanoTime();
      List<DecisionSource> others = new ArrayList<>();
      away.freeze();
      try {
        ConcurrentRun.each(
            LOST, 1, (thread, call) -> limiter.tryAcquire(there.get(thread % there.size())));
        ServerEvents.await("an open circuit")
            .until(() -> limiter.tryAcquire(there.get(0)), any -> events.opened() > 0);
        for (int i = 0; i < ROUNDS; i++) {
          elsewhere.forEach(subject -> addUnlessLate(others, limiter, subject));
          assertThat(limiter.tryAcquire(there.get(i % there.size())).source())
              .isEqualTo(DecisionSource.UNAVAILABLE);
        }
      } finally {
        away.thaw();
      }
      long trials = (System.nanoTime() - began) / OPEN.multipliedBy(9).dividedBy(10).toNanos();
      assertThat(others).hasSizeGreaterThan(SUBJECTS).containsOnly(DecisionSource.SERVER);
      assertThat(events.nodes()).as("nodes whose circuit was opened").hasSize(1);
      there.forEach(subject -> awaitServer(limiter, subject));
      ServerEvents.await("a closed circuit").until(() -> events.closed() > 0);
      long unanswered = charges(limiter, there) - events.decided(there);
      assertThat(unanswered)
          .as("calls of %d trials that were sent without an answer", trials)
          .isBetween(0L, LOST + trials + 1);
    }
  }

  @Test
  @DisplayName("of a batch where one master is away only its calls fail, within the deadline")
  void batch() throws Exception {
    Duration deadline = DEADLINE;
    while (!othersDecide(deadline)) {
      deadline = deadline.multipliedBy(2);
      assertThat(deadline).as("a deadline that the others keep").isLessThan(LONGEST_DEADLINE);
    }
  }

  /* How long the others take is the machine's affair: a longer deadline must help. */
  private boolean othersDecide(Duration deadline) throws Exception {
    ClusterDeployment cluster = SharedDeployments.cluster();
    ServerProcess away = cluster.master(0);
    RateLimiterOptions options = NearRules.PATIENT.toBuilder().deadline(deadline).build();
    List<String> subjects = IntStream.range(0, SUBJECTS).mapToObj(i -> "b" + i).toList();
    try (RateLimiters limiters = suiteClient().connector().connect(cluster.endpoint(), options);
        DeadlineWatch watch = DeadlineWatch.over(deadline)) {
      RateLimiter limiter = limiters.limiter(policy, LIMIT);
      subjects.forEach(subject -> charges(limiter, subject));
      away.freeze();
      List<Outcome> outcomes;
      try {
        outcomes = watch.timed(() -> limiter.tryAcquireAll(subjects));
      } finally {
        away.thaw();
      }
      watch.check();
      Predicate<Outcome> lost = outcome -> owner(cluster, outcome.subject()) == away;
      assertThat(outcomes.stream().filter(lost))
          .isNotEmpty()
          .allMatch(Outcome.Failed.class::isInstance);
      return outcomes.stream().filter(lost.negate()).allMatch(Outcome.Decided.class::isInstance);
    }
  }

  /*
   * A call for a node whose circuit is open is answered at once; on a machine that stalls any call may
   * be late, or end a little before its deadline.
   */
  private static void addUnlessLate(
      List<DecisionSource> others, RateLimiter limiter, String subject) {
    long begun = System.nanoTime();
    DecisionSource source = limiter.tryAcquire(subject).source();
    if (System.nanoTime() - begun < DEADLINE.toNanos() / 10 * 9) {
      others.add(source);
    }
  }

  private static long charges(RateLimiter limiter, List<String> subjects) {
    return subjects.stream().mapToLong(subject -> charges(limiter, subject)).sum();
  }

  /* A connection that was lost while the master was away may fail one more call. */
  private static long charges(RateLimiter limiter, String subject) {
    Usage usage = ServerEvents.firstResult("an answer", () -> limiter.peek(subject));
    return usage.limit() - usage.remaining();
  }

  private TestServer owner(ClusterDeployment cluster, String subject) {
    return cluster.owner(SubjectKey.of(policy, subject, LIMIT));
  }

  private static void awaitServer(RateLimiter limiter, String subject) {
    ServerEvents.await("the server decides").until(() -> limiter.tryAcquire(subject).enforced());
  }
}
