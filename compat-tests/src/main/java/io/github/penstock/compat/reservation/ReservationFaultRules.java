package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.near.SuiteProcess;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservationEvent.Kind;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reservations whose answers are lost, and whose servers are away. */
public abstract class ReservationFaultRules extends HoldingRules {
  /**
   * The second attempt begins between 45 and 55 % of it, on a machine that stalls for a second,
   * too.
   */
  private static final Duration DEADLINE = Duration.ofSeconds(15);

  /** Too late for the first attempt, which has 45 % of the deadline. */
  private static final Duration LATE = Duration.ofMillis(7_500);

  @LoadTest
  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"CUT", "DELAYED"})
  @DisplayName(
      "an answer that is lost or late is asked for again by the same id: charged once, and answered")
  void lostAnswer(NetworkFault fault) {
    RateLimiterOptions options = PATIENT.toBuilder().deadline(DEADLINE).build();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), options)) {
      Reservations calls = limiters.reservations("llm", DAY);
      ready(calls);
      proxy.delay(LATE);
      proxy.setOnce(fault, 1);
      Reservation call = calls.reserve(GROUP, REQUESTS.charge(1), TOKENS.reserve(40));
      assertThat(proxy.faulted()).isEqualTo(1);
      assertThat(call.allowed() && call.enforced() && call.answer().repeated()).isTrue();
      assertThat(call.usages().get(0).remaining()).isEqualTo(99);
      assertThat(stored(TOKENS, GROUP)).endsWith(40L);
      proxy.setOnce(fault, 1);
      assertThat(call.settle(25)).isEqualTo(SettleResult.SETTLED);
      assertThat(proxy.faulted()).isEqualTo(2);
      assertThat(used(TOKENS, GROUP)).isEqualTo(25);
      assertThat(stored(TOKENS, GROUP)).hasSize(TIMES + WINDOW);
    }
  }

  @Test
  @DisplayName("without a server a call ends as onUnavailable says, and settling it does nothing")
  void undecided() {
    // Event loops that need half of this to read count as too busy, which is no outage.
    Duration deadline = Duration.ofSeconds(2);
    try (RateLimiters open =
            connect(
                PATIENT.toBuilder().deadline(deadline).onUnavailable(OnUnavailable.ALLOW).build());
        RateLimiters shut =
            connect(
                PATIENT.toBuilder().deadline(deadline).onUnavailable(OnUnavailable.DENY).build());
        RateLimiters thrown =
            connect(PATIENT.toBuilder().deadline(deadline).listener(listener).build())) {
      Reservations calls = open.reservations("llm", DAY);
      ready(calls);
      ready(shut.reservations("llm", DAY));
      ready(thrown.reservations("llm", DAY));
      Reservation held = ServerEvents.firstResult("a decision", () -> enforced(calls));
      Reservation heldUnderThrow =
          thrown.reservations("llm", DAY).reserve(CallId.random(), GROUP, TOKENS.reserve(7));
      server.freeze();
      try {
        Reservation call = calls.reserve(GROUP, TOKENS.reserve(40));
        assertThat(call.allowed()).isTrue();
        assertThat(call.enforced()).isFalse();
        assertThat(call.settle(1)).isEqualTo(SettleResult.NOTHING_HELD);
        assertThat(held.settle(1)).isEqualTo(SettleResult.UNDECIDED);
        Reservation denied = shut.reservations("llm", DAY).reserve(GROUP, TOKENS.reserve(40));
        assertThat(denied.denied()).isTrue();
        assertThat(denied.enforced()).isFalse();
        assertThat(denied.retryAfter()).isEqualTo(deadline);
        assertThatThrownBy(() -> thrown.reservations("llm", DAY).reserve(GROUP, TOKENS.reserve(40)))
            .isInstanceOf(NoDecisionException.class);
        heldUnderThrow.close();
        assertThat(heard).endsWith(Kind.RESERVED, Kind.FAILED, Kind.UNDECIDED);
      } finally {
        server.thaw();
      }
      assertThat(ServerEvents.firstResult("an answer", () -> settled(held, 1)))
          .as("a settlement may be made again")
          .isEqualTo(SettleResult.SETTLED);
    }
  }

  /* Under ALLOW a machine that stalls decides for itself. */
  private static Reservation enforced(Reservations calls) {
    Reservation call = calls.reserve(GROUP, TOKENS.reserve(7));
    if (!call.enforced()) {
      throw new IllegalStateException("not decided");
    }
    return call;
  }

  private static SettleResult settled(Reservation held, long total) {
    SettleResult result = held.settle(total);
    if (result == SettleResult.UNDECIDED) {
      throw new IllegalStateException("not settled");
    }
    return result;
  }

  private static void ready(Reservations calls) {
    ServerEvents.firstResult("a connection", () -> calls.reserve("ready", REQUESTS.charge(1)));
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("R5 the hold of a process that was killed is charged when it runs out")
  void killed() throws Exception {
    long until;
    try (SuiteProcess process =
        SuiteProcess.start(suiteClient(), HoldingProcess.class, server.url())) {
      until = stored(TOKENS, GROUP).get(TIMES + WINDOW);
      process.kill();
    }
    assertThat(stored(TOKENS, GROUP)).endsWith(until, HoldingProcess.UNITS);
    awaitServerTime(until);
    try (RateLimiters others = connect(PATIENT)) {
      others.reservations("llm", DAY).reserve(GROUP, TOKENS.debit(1));
    }
    assertThat(stored(TOKENS, GROUP)).hasSize(TIMES + WINDOW);
    assertThat(used(TOKENS, GROUP)).isEqualTo(HoldingProcess.UNITS + 1);
    assertThat(stored(TOKENS, GROUP).get(TIMES + 1) - DAY.toNanos() / 1_000)
        .as("its window opened when it ran out")
        .isEqualTo(until);
  }

  /** Holds units, and does nothing more. */
  static final class HoldingProcess {
    static final long UNITS = 40;

    private HoldingProcess() {}

    /** The process. */
    public static void main(String[] arguments) throws Exception {
      Duration keep = Duration.ofSeconds(6);
      RateLimiterOptions options = PATIENT.toBuilder().deadline(keep).build();
      try (RateLimiters limiters = SuiteProcess.connect(arguments, options)) {
        limiters.awaitConnected(Duration.ofMinutes(5));
        boolean allowed =
            limiters.reservations("llm", keep).reserve(GROUP, TOKENS.reserve(UNITS)).allowed();
        SuiteProcess.say(Boolean.toString(allowed));
      }
    }
  }
}
