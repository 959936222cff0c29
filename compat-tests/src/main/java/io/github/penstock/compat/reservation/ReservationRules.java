package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.EntryUsage;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservationEvent;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.ReservedCall;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reservations from the application's point of view. */
public abstract class ReservationRules extends HoldingRules {
  @Test
  @DisplayName("R1 several limits are decided at once: all are charged and held, or none")
  void allOrNone() {
    try (RateLimiters limiters = connect(PATIENT)) {
      Reservations calls = limiters.reservations("llm", DAY);
      RateLimiter requests = limiters.limiter(REQUESTS.policy(), MANY);
      try (Reservation call =
          calls.reserve(
              GROUP,
              REQUESTS.charge(1),
              TOKENS.reserve("u/1", 40),
              TOKENS.reserve(60),
              PLACES.reserve())) {
        assertThat(call.allowed() && call.enforced()).isTrue();
        assertThat(call.usages())
            .extracting(EntryUsage::remaining)
            .containsExactly(99L, 60L, 40L, 1L);
        assertThat(call.usages()).extracting(EntryUsage::held).containsExactly(0L, 40L, 60L, 1L);
        Reservation denied =
            calls.reserve(GROUP, REQUESTS.charge(1), TOKENS.reserve(41), PLACES.reserve());
        assertThat(denied.denied() && denied.enforced()).isTrue();
        assertThat(denied.answer().denying()).isEqualTo(1);
        assertThat(denied.retryAfter()).isBetween(Duration.ofHours(1), DAY.multipliedBy(3));
        assertThat(denied.askAgainAfter()).isBetween(Duration.ofMillis(50), Duration.ofMillis(250));
        assertThat(denied.settle(7)).isEqualTo(SettleResult.NOTHING_HELD);
        assertThat(calls.reserve(GROUP, TOKENS.reserve(101)).retryAfter())
            .isEqualTo(ReservedCall.NEVER);
        assertThat(requests.peek(GROUP).remaining()).as("R6 one native key").isEqualTo(99);
        assertThat(stored(TOKENS, GROUP)).endsWith(60L);
      }
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("R4 a settlement charges what was used, also beyond the estimate, and once")
  void settled() {
    try (RateLimiters limiters = connect(PATIENT)) {
      Reservations calls = limiters.reservations("llm", DAY);
      Reservation call = calls.reserve(GROUP, TOKENS.reserve(40), PLACES.reserve());
      assertThat(call.renew(10)).isEqualTo(SettleResult.SETTLED);
      assertThat(used(TOKENS, GROUP)).isEqualTo(10);
      assertThat(stored(TOKENS, GROUP)).endsWith(30L);
      assertThat(call.settle(55)).isEqualTo(SettleResult.SETTLED);
      assertThat(call.settle(60)).isEqualTo(SettleResult.NOTHING_HELD);
      call.close();
      assertThat(used(TOKENS, GROUP)).isEqualTo(55);
      assertThat(stored(TOKENS, GROUP)).as("nothing is held").hasSize(TIMES + WINDOW);
      assertThat(stored(PLACES, GROUP)).as("nothing is in flight").hasSize(TIMES);
      assertThat(call.renew()).isEqualTo(SettleResult.NOTHING_HELD);
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("ended without a word it settles its estimates; to cancel says nothing was used")
  void ended() {
    try (RateLimiters limiters = connect(PATIENT)) {
      Reservations calls = limiters.reservations("llm", DAY);
      calls.reserve(GROUP, TOKENS.reserve(40)).close();
      assertThat(used(TOKENS, GROUP)).isEqualTo(40);
      assertThat(calls.reserve(GROUP, TOKENS.reserve(40)).cancel()).isEqualTo(SettleResult.SETTLED);
      assertThat(used(TOKENS, GROUP)).isEqualTo(40);
      assertThat(stored(TOKENS, GROUP)).hasSize(TIMES + WINDOW);
      assertThat(calls.reserve(GROUP, TOKENS.debit(5)).settle(1))
          .isEqualTo(SettleResult.NOTHING_HELD);
      assertThat(used(TOKENS, GROUP)).as("a debit is charged at once").isEqualTo(45);
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("each entry has its own total; one that is not named keeps its estimate")
  void totalsOfEntries() {
    try (RateLimiters limiters = connect(PATIENT)) {
      EntryCost tokens = TOKENS.reserve(40);
      EntryCost pages = PAGES.reserve("u", 8);
      Reservation call = limiters.reservations("llm", DAY).reserve(GROUP, tokens, pages);
      assertThatThrownBy(() -> call.settle(tokens.used(1), tokens.used(2)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> call.settle(TOKENS.reserve(41).used(1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(call.settle(tokens.used(12))).isEqualTo(SettleResult.SETTLED);
      assertThat(used(TOKENS, GROUP)).isEqualTo(12);
      assertThat(used(PAGES, GROUP + "}/u")).isEqualTo(8);
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("R2 a call with the same id is answered again, and charged once")
  void sameId() {
    try (RateLimiters limiters = connect(PATIENT)) {
      Reservations calls = limiters.reservations("api", DAY);
      CallId id = CallId.random();
      EntryCost[] entries = {REQUESTS.charge(1), TOKENS.reserve(40)};
      assertThat(calls.reserve(id, GROUP, entries).answer().repeated()).isFalse();
      Reservation again = calls.reserve(id, GROUP, entries);
      assertThat(again.allowed() && again.answer().repeated()).isTrue();
      assertThat(limiters.limiter(REQUESTS.policy(), MANY).peek(GROUP).remaining()).isEqualTo(99);
      assertThat(again.settle(3)).isEqualTo(SettleResult.SETTLED);
      assertThat(used(TOKENS, GROUP)).isEqualTo(3);
      assertThatThrownBy(() -> calls.reserve(id, GROUP, entries))
          .isInstanceOf(ScriptRefusedException.class)
          .hasMessageContaining("id");
    }
  }

  @LoadTest
  @Test
  @DisplayName("R9 no more are in flight than the limit; a place that is kept alive stays taken")
  void concurrency() {
    Duration keep = Duration.ofSeconds(6);
    try (RateLimiters limiters = connect(PATIENT.toBuilder().deadline(keep).build())) {
      var exports = limiters.concurrency("exports", 1, keep);
      try (Reservation permit = exports.tryAcquire(GROUP)) {
        long until = lastUntil("exports");
        permit.keepAlive();
        assertThat(exports.tryAcquire(GROUP).denied()).isTrue();
        ServerEvents.await("two renewals").until(() -> lastUntil("exports") > until + 3_000_000L);
        assertThat(permit.allowed()).isTrue();
      }
      assertThat(exports.tryAcquire(GROUP).allowed()).as("the place is free again").isTrue();
    }
  }

  private long lastUntil(String policy) {
    return stored(EntryLimit.concurrency(policy, 1), GROUP).get(TIMES);
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("R5 what runs out is charged as it was estimated, and a late settlement says so")
  void ranOut() {
    Duration keep = Duration.ofSeconds(3);
    RateLimiterOptions options = PATIENT.toBuilder().deadline(keep).listener(listener).build();
    try (RateLimiters limiters = connect(options)) {
      Reservations calls = limiters.reservations("llm", keep);
      Reservation call = calls.reserve(GROUP, TOKENS.reserve(40));
      awaitServerTime(stored(TOKENS, GROUP).get(TIMES + WINDOW));
      assertThat(call.settle(10)).isEqualTo(SettleResult.RAN_OUT);
      assertThat(call.settle(10)).isEqualTo(SettleResult.NOTHING_HELD);
      Reservations longer = limiters.reservations("llm", Duration.ofMinutes(2));
      assertThat(longer.reserve(GROUP, TOKENS.reserve(1)).cancel()).isEqualTo(SettleResult.SETTLED);
      assertThat(used(TOKENS, GROUP)).isEqualTo(40);
      assertThat(heard)
          .containsExactly(
              ReservationEvent.Kind.RESERVED,
              ReservationEvent.Kind.RAN_OUT,
              ReservationEvent.Kind.RESERVED,
              ReservationEvent.Kind.CANCELLED);
    }
  }

  @Test
  @DisplayName("by functions a call is decided, repeated and settled as by scripts")
  void functions() {
    if (!server.hasFunctions()) {
      Assumptions.abort("optional: this server has no functions");
    }
    try (RateLimiters limiters = connect(PATIENT.toBuilder().functions(true).build())) {
      limiters.loadFunctions();
      Reservations calls = limiters.reservations("llm", DAY);
      CallId id = CallId.random();
      EntryCost[] entries = {REQUESTS.charge(1), TOKENS.reserve(40), PLACES.reserve()};
      Reservation call = calls.reserve(id, GROUP, entries);
      assertThat(call.usages()).extracting(EntryUsage::held).containsExactly(0L, 40L, 1L);
      assertThat(calls.reserve(id, GROUP, entries).answer().repeated()).isTrue();
      assertThat(call.renew(10)).isEqualTo(SettleResult.SETTLED);
      assertThat(call.settle(25)).isEqualTo(SettleResult.SETTLED);
      assertThat(used(TOKENS, GROUP)).isEqualTo(25);
      assertThat(commandsUsed()).contains("cmdstat_fcall:").doesNotContain("cmdstat_evalsha:");
    }
  }

  @Test
  @DisplayName("NOSCRIPT between is no failure, and P2 the decision of a group is a limiter's")
  void scriptsFlushed() {
    try (RateLimiters limiters = connect(PATIENT)) {
      Reservations calls = limiters.reservations("llm", DAY);
      flushScripts();
      Reservation call = calls.reserve(GROUP, REQUESTS.charge(30), TOKENS.reserve(40));
      flushScripts();
      assertThat(call.settle(5)).isEqualTo(SettleResult.SETTLED);
      Decision next = limiters.limiter(REQUESTS.policy(), MANY).tryAcquire(GROUP, 30);
      assertThat(next.remaining()).isEqualTo(40);
    }
  }
}
