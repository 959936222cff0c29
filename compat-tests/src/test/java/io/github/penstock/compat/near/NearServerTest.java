package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.plain.PlainRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.server.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several clients with near layers of their own on one real server. */
class NearServerTest {
  private static final int CLIENTS = 4;
  private static final int THREADS = 2;
  private final String prefix = "near-" + UUID.randomUUID();

  @Test
  @DisplayName(
      "N3 N5 a refund of one's own is seen at once, one of another client when the denial has died")
  void refunds() {
    TokenBucket one = TokenBucket.of(1).refill(1, Duration.ofHours(1));
    try (RateLimiters patient = connect(Duration.ofMinutes(1));
        RateLimiters brief = connect(Duration.ofNanos(1));
        RateLimiters other = connect(Duration.ZERO)) {
      RateLimiter limiter = patient.limiter("api", one);
      assertThat(limiter.tryAcquire("u").allowed()).isTrue();
      assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
      assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.REMEMBERED);
      assertThat(brief.limiter("api", one).tryAcquire("u").allowed()).isFalse();
      other.limiter("api", one).reset("u");
      assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.REMEMBERED);
      assertThat(brief.limiter("api", one).tryAcquire("u").allowed()).isTrue();
      limiter.reset("u");
      Decision again = limiter.tryAcquire("u");
      assertThat(again.source()).isEqualTo(DecisionSource.SERVER);
      assertThat(again.allowed()).isTrue();
    }
  }

  @Test
  @DisplayName("L1 L2 L4 clients that lease admit a window's limit, less what they still hold")
  void leases() {
    LeaseTerms terms = new LeaseTerms(50, Duration.ofHours(1));
    FixedWindow window = FixedWindow.of(5_000, Duration.ofHours(1));
    List<RateLimiters> clients = new ArrayList<>();
    List<CompletableFuture<long[]>> running = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS * THREADS);
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(connect(Duration.ZERO));
      }
      for (int i = 0; i < CLIENTS * THREADS; i++) {
        RateLimiter limiter = clients.get(i % CLIENTS).limiter("api", window, terms);
        running.add(CompletableFuture.supplyAsync(() -> untilDenied(limiter), threads));
      }
      long allowed = running.stream().mapToLong(calls -> calls.join()[0]).sum();
      long leased = running.stream().mapToLong(calls -> calls.join()[1]).sum();
      long charged = 5_000 - clients.get(0).limiter("api", window).peek("u").remaining();
      assertThat(allowed).isBetween(charged - CLIENTS * 50, charged);
      assertThat(charged).isLessThanOrEqualTo(5_000);
      assertThat(leased).as("handed out without asking").isGreaterThan(allowed / 2);
    } finally {
      threads.shutdownNow();
      clients.forEach(RateLimiters::close);
    }
  }

  /* How many calls were allowed until one was denied, and how many of them by a lease. */
  private static long[] untilDenied(RateLimiter limiter) {
    long[] allowed = new long[2];
    for (Decision next = limiter.tryAcquire("u"); next.allowed(); next = limiter.tryAcquire("u")) {
      allowed[0]++;
      allowed[1] += next.source() == DecisionSource.LEASED ? 1 : 0;
    }
    return allowed;
  }

  private RateLimiters connect(Duration remembered) {
    return PlainRateLimiters.connect(
        TestServers.one().url(),
        RateLimiterOptions.builder()
            .prefix(prefix)
            .deadline(Duration.ofSeconds(30))
            .rememberDenials(remembered)
            .build());
  }
}
