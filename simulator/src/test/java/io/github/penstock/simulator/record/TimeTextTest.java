package io.github.penstock.simulator.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
  private static final long SECOND = 1_763_640_000L;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2025-11-20T12:00:00Z",
        "2025-11-20T13:00:00+01:00",
        "2025-11-20T13:00:00+0100",
        "2025-11-20t12:00:00.000z",
        "2025-11-20 12:00:00",
        "2025-11-20 04:00:00 -08:00",
        "20/Nov/2025:12:00:00 +0000",
        "20/Nov/2025:07:30:00 -0430",
        "1763640000",
        "1763640000.000",
        "1.76364E9",
        "1763640000.",
        "1763640000000",
        "1763640000000000",
        "1763640000000000000"
      })
  void oneTimeInManyForms(String text) throws UnreadableRecordException {
    assertThat(new TimeText(null).micros(text)).isEqualTo(SECOND * 1_000_000);
  }

  @Test
  void fractionsAreKeptToTheMicrosecond() throws UnreadableRecordException {
    TimeText times = new TimeText(null);
    assertThat(times.micros("1763640000.1234567")).isEqualTo(SECOND * 1_000_000 + 123_456);
    assertThat(times.micros("2025-11-20T12:00:00.123456789Z"))
        .isEqualTo(SECOND * 1_000_000 + 123_456);
    assertThat(times.micros("1763640000123")).isEqualTo(SECOND * 1_000_000 + 123_000);
  }

  @Test
  void aPatternThatWasGiven() throws UnreadableRecordException {
    assertThat(new TimeText("dd.MM.yyyy HH:mm:ss").micros("20.11.2025 12:00:00"))
        .isEqualTo(SECOND * 1_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2025-13-01T00:00:00Z",
        "32/Nov/2025:12:00:00 +0000",
        "12345",
        "1999-01-01T00:00:00Z",
        "999999999",
        "2113-01-01T00:00:00Z",
        "-1763640000",
        "99999999999999999999"
      })
  void whatIsNoTimeOfALogIsSaid(String text) {
    assertThatThrownBy(() -> new TimeText(null).micros(text))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("time");
  }
}
