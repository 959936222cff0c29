package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.reserve.ConcurrencyLimiter;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/reservations.md: every line of it is in this test, and runs. */
class ReservationRecipesTest {
  private final List<Duration> refused = new ArrayList<>();
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();
  @AutoClose private LettuceRateLimiters limiters;
  private Reservations llm;
  private EntryLimit tokens;

  @BeforeEach
  void start() {
    RateLimiterOptions patient =
        RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
    limiters = LettuceRateLimiters.connect(server.url().toString(), patient);
    llm = limiters.reservations("llm", Duration.ofMinutes(2));
    tokens = EntryLimit.parse("tpm", "sliding-window:100000/1m");
  }

  private void refuse(Duration after) {
    refused.add(after);
  }

  private static long ask() {
    return 5_200;
  }

  @Test
  @DisplayName("every line of code on the page stands in this test, in one piece")
  void page() throws IOException {
    PageCode.assertStandsIn(ReservationRecipesTest.class, "reservations.md", 5);
  }

  @Test
  @DisplayName("several limits in one call")
  void several() {
    EntryLimit requests = EntryLimit.parse("rpm", "sliding-window:60/1m");
    EntryLimit tokens = EntryLimit.parse("tpm", "sliding-window:100000/1m");
    EntryLimit inFlight = EntryLimit.parse("in-flight", "concurrency:10");
    Reservations llm = limiters.reservations("llm", Duration.ofMinutes(2));

    try (Reservation call =
        llm.reserve(
            "tenant:7", requests.charge("user:42", 1), tokens.reserve(1_500), inFlight.reserve())) {
      if (call.denied()) {
        refuse(call.retryAfter());
      } else {
        call.settle(ask());
      }
    }

    assertThat(refused).isEmpty();
    assertUsed("tenant:7", 5_200);
  }

  @Test
  @DisplayName("a stream reports its progress, and settles what was streamed")
  void stream() {
    List<String> stream = Collections.nCopies(2_500, "word");

    try (Reservation call = llm.reserve("tenant:7", tokens.reserve(1_500))) {
      if (call.denied()) {
        refuse(call.retryAfter());
      } else {
        long used = 0;
        try {
          for (String word : stream) {
            used++;
            if (used % 1_000 == 0) {
              call.renew(used);
            }
          }
        } finally {
          call.settle(used);
        }
      }
    }

    assertUsed("tenant:7", 2_500);
  }

  @Test
  @DisplayName("places in flight, and nothing else")
  void places() {
    ConcurrencyLimiter exports = limiters.concurrency("exports", 10, Duration.ofMinutes(2));

    try (Reservation permit = exports.tryAcquire("tenant:7")) {
      if (permit.denied()) {
        refuse(permit.askAgainAfter());
      } else {
        permit.keepAlive();
        ask();
      }
    }

    try (Reservation next = exports.tryAcquire("tenant:7")) {
      assertThat(next.usages().get(0).held()).isEqualTo(1);
    }
    assertThat(refused).isEmpty();
  }

  @Test
  @DisplayName("a limit of everybody, in another slot")
  void wide() {
    EntryLimit provider = EntryLimit.parse("provider-tpm", "sliding-window:6000/1m");

    for (int i = 0; i < 2; i++) {
      try (Reservation narrow = llm.reserve("tenant:7", tokens.reserve(1_500))) {
        if (!narrow.denied()) {
          try (Reservation wide = llm.reserve("everybody", provider.reserve(1_500))) {
            if (wide.denied()) {
              narrow.cancel();
              refuse(wide.retryAfter());
            } else {
              long used = ask();
              wide.settle(used);
              narrow.settle(used);
            }
          }
        }
      }
    }

    assertThat(refused).hasSize(1);
    assertUsed("tenant:7", 5_200);
  }

  @Test
  @DisplayName("tokens and money, settled apart")
  void money() {
    EntryLimit budget = EntryLimit.parse("micro-dollars", "fixed-window:50000000/1d");

    EntryCost words = tokens.reserve(1_500);
    EntryCost cost = budget.reserve(9_000);
    try (Reservation call = llm.reserve("tenant:7", words, cost)) {
      if (!call.denied()) {
        call.settle(words.used(5_200), cost.used(31_200));
      }
    }

    assertUsed("tenant:7", 5_200);
    try (Reservation next = llm.reserve("tenant:7", budget.debit(1))) {
      assertThat(next.usages().get(0).remaining()).isEqualTo(50_000_000 - 31_200 - 1);
    }
  }

  private void assertUsed(String tenant, long used) {
    try (Reservation next = llm.reserve(tenant, tokens.debit(1))) {
      assertThat(next.usages().get(0).held()).isZero();
      // The window slides: after it has passed there is more.
      assertThat(next.usages().get(0).remaining()).isEqualTo(100_000 - used - 1);
    }
  }
}
