package io.github.penstock.simulator.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
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
    assertThat(new TimeText(null, UTC).micros(text)).isEqualTo(SECOND * 1_000_000);
  }

  @Test
  void fractionsAreKeptToTheMicrosecond() throws UnreadableRecordException {
    TimeText times = new TimeText(null, UTC);
    assertThat(times.micros("1763640000.1234567")).isEqualTo(SECOND * 1_000_000 + 123_456);
    assertThat(times.micros("2025-11-20T12:00:00.123456789Z"))
        .isEqualTo(SECOND * 1_000_000 + 123_456);
    assertThat(times.micros("1763640000123")).isEqualTo(SECOND * 1_000_000 + 123_000);
  }

  @Test
  void aPatternThatWasGiven() throws UnreadableRecordException {
    assertThat(new TimeText("dd.MM.yyyy HH:mm:ss", UTC).micros("20.11.2025 12:00:00"))
        .isEqualTo(SECOND * 1_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2025-13-01T00:00:00Z",
        "32/Nov/2025:12:00:00 +0000",
        "2025-02-31 12:00:00",
        "31/Feb/2025:12:00:00 +0000",
        "1999-01-01T00:00:00Z",
        "2113-01-01T00:00:00Z",
        "-1763640000",
        "99999999999999999999"
      })
  void whatIsNoTimeOfALogIsSaid(String text) {
    assertThatThrownBy(() -> new TimeText(null, UTC).micros(text))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("time");
  }

  @Test
  void aDayThatThereIsNotIsNoneOfAPatternEither() {
    assertThatThrownBy(() -> new TimeText("dd.MM.yyyy HH:mm:ss", UTC).micros("31.02.2025 12:00:00"))
        .isInstanceOf(UnreadableRecordException.class);
  }

  @Test
  void aTimeWithoutAZoneIsOneOfTheZoneThatWasGiven() throws UnreadableRecordException {
    TimeText times = new TimeText(null, BERLIN);
    assertThat(times.micros("2025-11-20 13:00:00")).isEqualTo(SECOND * 1_000_000);
    assertThat(times.withoutZone()).isTrue();
    assertThat(times.micros("2025-11-20 12:00:00Z")).isEqualTo(SECOND * 1_000_000);
    assertThat(times.withoutZone()).isFalse();
  }

  @Test
  void theHourThatAClockChangeRepeatsIsTwoHours() throws UnreadableRecordException {
    TimeText times = new TimeText(null, BERLIN);
    List<String> read = new ArrayList<>();
    for (String clock : "01:59 02:00 02:25 02:55 02:00 02:25 02:24 02:50 03:00".split(" ")) {
      long micros = times.micros("2025-10-26 " + clock + ":00");
      read.add(Instant.ofEpochSecond(micros / 1_000_000).toString().substring(11, 16));
      assertThat(times.twice()).isEqualTo(clock.startsWith("02"));
    }
    assertThat(read)
        .containsExactly("23:59 00:00 00:25 00:55 01:00 01:25 01:24 01:50 02:00".split(" "));
  }

  @Test
  void aTimeThatClocksWereSetForwardOverIsNone() {
    for (String time : List.of("2025-03-30 02:30:00", "30/Mar/2025:02:30:00")) {
      assertThatThrownBy(() -> new TimeText(null, BERLIN).micros(time))
          .isInstanceOf(UnreadableRecordException.class)
          .hasMessage(
              "no time of Europe/Berlin, where clocks were set forward over it: 2025-03-30T02:30");
    }
  }
}
