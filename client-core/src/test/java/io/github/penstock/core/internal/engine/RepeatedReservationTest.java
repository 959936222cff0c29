package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.engine.RecordedTransport.ServerError;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RepeatedReservationTest {
  private static final RuntimeException LOST = new IllegalStateException("the connection is lost");
  private static final ServerError FULL = new ServerError("OOM command not allowed");

  private static Reservation reserved(RuntimeException... failures) {
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .onUnavailable(OnUnavailable.ALLOW)
            .onOverload(OnOverload.THROW)
            .build();
    RecordedTransport transport = new RecordedTransport().answers((Object[]) failures);
    return transport
        .limiters(options)
        .reservations("llm", Duration.ofMinutes(1))
        .reserve("g", EntryLimit.parse("tpm", "fixed-window:10/1m").reserve());
  }

  @Test
  @DisplayName("what fails after an attempt without an answer may have been charged")
  void afterALostAnswer() {
    assertThatThrownBy(() -> reserved(LOST, FULL))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("overloaded, and this call may have been charged: ");
    assertThatThrownBy(() -> reserved(LOST, new ServerError("NOAUTH Authentication required.")))
        .isInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("this call may have been charged: ");
    assertThatThrownBy(() -> reserved(LOST, new ServerError("upstream failure")))
        .isExactlyInstanceOf(PenstockException.class)
        .hasMessageContaining("this call may have been charged: ");
  }

  @Test
  @DisplayName("a keep below the deadline is refused: a call that is sent again would be a new one")
  void keepBelowTheDeadline() {
    Duration deadline = Duration.ofSeconds(1);
    RateLimiterOptions options = RateLimiterOptions.builder().deadline(deadline).build();
    var limiters = new TransportRateLimiters(new RecordedTransport(), options, () -> {});
    assertThat(limiters.reservations("llm", deadline).keep()).isEqualTo(deadline);
    assertThatThrownBy(() -> limiters.reservations("llm", deadline.minusNanos(1_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keep must be at least the deadline of PT1S: PT0.999999S");
  }

  @Test
  @DisplayName("what fails at the first attempt charged nothing")
  void atFirst() {
    assertThatThrownBy(() -> reserved(FULL))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("overloaded, and nothing was charged: ");
  }
}
