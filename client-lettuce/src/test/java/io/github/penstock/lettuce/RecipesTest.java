package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerInterval;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/recipes.md: every line of it is in this test, and runs. */
class RecipesTest {
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();
  @AutoClose private static LettuceRateLimiters limiters;

  @BeforeAll
  static void start() {
    RateLimiterOptions patient =
        RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
    limiters = LettuceRateLimiters.connect(uri(), patient);
  }

  private static String uri() {
    return server.url().toString();
  }

  @Test
  @DisplayName("every line of code on the page stands in this test, in one piece")
  void page() throws IOException {
    PageCode.assertStandsIn(RecipesTest.class, "recipes.md", 11);
  }

  @Test
  @DisplayName("several limits at once")
  void severalLimits() {
    Limit both =
        TokenBucket.of(5)
            .refill(10, Duration.ofHours(1))
            .and(TokenBucket.of(8).refill(8, Duration.ofDays(1)));
    RateLimiter api = limiters.limiter("several", both);

    Decision decision = api.tryAcquire("user:42", 6);
    assertThat(decision.tier()).isEqualTo(1);
    assertThat(api.peek("user:42").remaining()).isEqualTo(5);
  }

  @Test
  @DisplayName("more calls than a batch takes, in order")
  void manyCalls() {
    List<String> users = IntStream.range(0, 10_001).mapToObj(i -> "user:" + i).toList();
    RateLimiter mails = limiters.limiter("mails-of-users", FixedWindow.of(3, Duration.ofDays(1)));
    List<Outcome> outcomes = new ArrayList<>();
    for (int from = 0; from < users.size(); from += 10_000) {
      int to = Math.min(from + 10_000, users.size());
      outcomes.addAll(mails.tryAcquireAll(users.subList(from, to)));
    }
    assertThat(outcomes).extracting(Outcome::subject).isEqualTo(users);
    assertThat(outcomes).allMatch(outcome -> outcome.decision().remaining() == 2);
  }

  @Test
  @DisplayName("a limit per plan, and a customer who changes plan")
  void plans() {
    Map<String, Limit> plans =
        Map.of(
            "free", FixedWindow.of(100, Duration.ofHours(1)),
            "paid", FixedWindow.of(10_000, Duration.ofHours(1)));
    String plan = "free";

    Decision decision = limiters.limiter("plans", plans.get(plan)).tryAcquire("customer:7");
    assertThat(decision.remaining()).isEqualTo(99);
    decision = limiters.limiter("plans", plans.get("paid")).tryAcquire("customer:7");
    assertThat(decision.remaining()).isEqualTo(9_998);
  }

  @Test
  @DisplayName("a reset by an admin")
  void reset() {
    RateLimiter api = limiters.limiter("reset", FixedWindow.of(100, Duration.ofHours(1)));
    api.tryAcquire("user:42", 100);

    Usage usage = api.reset("user:42");
    assertThat(usage.remaining()).isEqualTo(100);
  }

  @Test
  @DisplayName("a limit that changes: a window keeps its count, a bucket starts afresh")
  void change() {
    limiters.limiter("w", FixedWindow.of(100, Duration.ofHours(1))).tryAcquire("u", 30);
    limiters.limiter("b", TokenBucket.of(100).refill(1, Duration.ofHours(1))).tryAcquire("u", 30);

    RateLimiter window = limiters.limiter("w", FixedWindow.of(200, Duration.ofHours(1)));
    RateLimiter bucket = limiters.limiter("b", TokenBucket.of(200).refill(1, Duration.ofHours(1)));
    assertThat(window.peek("u").remaining()).isEqualTo(170);
    assertThat(bucket.peek("u").remaining()).isEqualTo(200);
  }

  @Test
  @DisplayName("failed logins: a right one is given back, five wrong ones deny the sixth")
  void failedLogins() {
    List<String> checked = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      signIn(checked::add);
    }
    assertThat(checked).hasSize(6);
    for (int i = 0; i < 6; i++) {
      signIn(name -> !checked.add(name));
    }
    assertThat(checked).as("the sixth wrong one is not checked").hasSize(11);
  }

  private static void signIn(Predicate<String> passwords) {
    EntryLimit failures = EntryLimit.of("failed-logins", FixedWindow.of(5, Duration.ofHours(1)));
    Reservations logins = limiters.reservations("logins", Duration.ofMinutes(1));

    try (Reservation attempt = logins.reserve("account:alice", failures.reserve())) {
      if (attempt.allowed() && passwords.test("alice")) {
        attempt.cancel();
      }
    }
  }

  @Test
  @DisplayName("a dry run")
  void dryRun() {
    LongAdder wouldBeDenied = new LongAdder();
    RateLimiter trial = limiters.limiter("trial-2", FixedWindow.of(2, Duration.ofHours(1)));
    for (String user : Collections.nCopies(5, "user:42")) {
      Decision decision = trial.tryAcquire(user);
      if (decision.enforced() && !decision.allowed()) {
        wouldBeDenied.increment();
      }
    }
    assertThat(wouldBeDenied.sum()).isEqualTo(3);
  }

  private static RateLimiterOptions patiently(RateLimiterOptions options) {
    return options.toBuilder().deadline(Duration.ofSeconds(30)).build();
  }

  @Test
  @DisplayName("peeks, refunds and failures in the log")
  void log() {
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    RateLimitListener logging =
        new RateLimitListener() {
          @Override
          public void onDecision(LimiterCall call, AcquiredUnits acquired, RuntimeException cause) {
            log.add(call.kind() + " " + call.subject());
          }

          @Override
          public void onUsage(LimiterCall call, Usage usage) {
            log.add(call.kind() + " " + call.subject() + ": " + usage.remaining() + " left");
          }
        };
    RateLimiterOptions options = RateLimiterOptions.builder().listener(logging).build();
    try (LettuceRateLimiters told = LettuceRateLimiters.connect(uri(), patiently(options))) {
      told.limiter("log", FixedWindow.of(2, Duration.ofHours(1))).reset("user:42");
    }
    assertThat(log).containsExactly("REFUND user:42: 2 left");
  }

  @Test
  @DisplayName("fail-open, and which deadline")
  void failOpen() {
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .deadline(Duration.ofMillis(100))
            .onUnavailable(OnUnavailable.ALLOW)
            .build();
    try (LettuceRateLimiters nobodyThere =
        LettuceRateLimiters.connect("redis://127.0.0.1:1", options)) {
      RateLimiter api = nobodyThere.limiter("api", FixedWindow.of(2, Duration.ofHours(1)));
      // A process that pauses for 100 ms has not learnt that the server is away: it denies.
      Decision decision =
          ServerEvents.await("a call that fails open")
              .until(() -> api.tryAcquire("u"), Decision::allowed);
      assertThat(decision.enforced()).isFalse();
    }
  }

  @Test
  @DisplayName("several limits, and a cost that is known afterwards")
  void reserved() {
    EntryLimit tokens =
        EntryLimit.of("tpm", TokenBucket.of(100_000).refill(100_000, Duration.ofMinutes(1)));
    EntryLimit inFlight = EntryLimit.parse("in-flight", "concurrency:10");
    Reservations llm = limiters.reservations("llm", Duration.ofMinutes(2));

    try (Reservation call =
        llm.reserve(
            "tenant:7",
            tokens.reserve("user:42", 4_000),
            tokens.reserve(4_000),
            inFlight.reserve())) {
      if (!call.denied()) {
        long used = 5_200; // what the model's answer says
        call.settle(used);
      }
    }
    try (Reservation next = llm.reserve("tenant:7", tokens.charge(1))) {
      assertThat(next.denied()).isFalse();
    }
  }

  @Test
  @DisplayName("a leaky bucket as a queue")
  void queue() throws InterruptedException {
    ServerInterval interval = ServerInterval.begin(server);
    RateLimiter mails =
        limiters.limiter("mails", LeakyBucket.of(100).leak(50, Duration.ofSeconds(1)));
    int sent = 0;
    for (int mail = 0; mail < 10; mail++) {
      Decision decision = mails.acquire("smtp.example.org", 1, Duration.ofSeconds(30));
      if (decision.allowed()) {
        sent++;
      }
    }
    assertThat(sent).isEqualTo(10);
    assertThat(interval.elapsed()).isGreaterThan(Duration.ofMillis(9 * 20 - 1));
  }
}
