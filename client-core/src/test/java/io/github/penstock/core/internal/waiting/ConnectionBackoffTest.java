package io.github.penstock.core.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.spi.time.EagerTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionBackoffTest {
  private final EagerTime time = new EagerTime();

  @Test
  @DisplayName("attempts that a time-out of a quarter of the deadline ends are three")
  void timeOutsOfAQuarter() {
    for (long quarterMillis : new long[] {25, 75, 250, 15_000}) {
      long quarter = TimeUnit.MILLISECONDS.toNanos(quarterMillis);
      assertThat(ConnectionBackoff.timeFor(quarter)).isBetween(quarter + 1, 2 * quarter - 1);
    }
  }

  @Test
  @DisplayName("an attempt that took next to no time may take four times as long")
  void refused() {
    assertThat(ConnectionBackoff.timeFor(100_000)).isEqualTo(400_000 + 1_000_000);
    assertThat(new ConnectionBackoff(time, time.nanos()).beforeNext()).isFalse();
  }
}
