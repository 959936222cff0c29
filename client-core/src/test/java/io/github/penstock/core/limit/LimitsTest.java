package io.github.penstock.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
  private static final long LONGEST_US = 366 * 86_400_000_000L;

  @Property
  void whatIsWrittenIsReadAgain(@ForAll("limits") Limit limit) {
    assertThat(Limits.parse(limit.toString())).isEqualTo(limit);
  }

  @Property
  void anyTextIsALimitOrAnIllegalArgument(@ForAll("texts") String text) {
    try {
      Limit limit = Limits.parse(text);
      assertThat(Limits.parse(limit.toString())).isEqualTo(limit);
    } catch (IllegalArgumentException refused) {
      assertThat(refused)
          .hasMessageMatching("(?s)limit \"\\Q" + text + "\\E\" at \\d+, \".*\": .+");
    }
  }

  @Provide
  static Arbitrary<Limit> limits() {
    return Arbitraries.of(LimitKind.class)
        .flatMap(kind -> tiers(kind).map(tiers -> Limit.of(kind, tiers)));
  }

  private static Arbitrary<List<LimitTier>> tiers(LimitKind kind) {
    return switch (kind.refill()) {
      case AT_END, FADING -> windows();
      case EVENLY -> buckets();
      case IN_BATCHES -> batches();
    };
  }

  /* Pieces of limits in any order, most of which are wrong somewhere. */
  @Provide
  static Arbitrary<String> texts() {
    return Arbitraries.of(
            "token-bucket",
            "fixed-window",
            ":",
            "/",
            "+",
            ",burst=",
            "1",
            "0",
            "100",
            "_",
            "-",
            "m",
            "ms",
            "d",
            " ",
            "é",
            "burst",
            "token-bucket:100/1m",
            "fixed-window:5/s",
            "9".repeat(20))
        .list()
        .ofMaxSize(8)
        .map(pieces -> String.join("", pieces));
  }

  private static Arbitrary<List<LimitTier>> windows() {
    return upTo16(Combinators.combine(units(), periods()).as(FixedWindow::of));
  }

  private static Arbitrary<List<LimitTier>> buckets() {
    return upTo16(
        Combinators.combine(Arbitraries.longs().between(1, 280), units(), periods())
            .as((capacity, units, period) -> TokenBucket.of(capacity).refill(units, period)));
  }

  private static Arbitrary<List<LimitTier>> batches() {
    return upTo16(
        Combinators.combine(Arbitraries.longs().between(1, 100), units(), periods())
            .as((capacity, units, period) -> IntervalBucket.of(capacity).refill(units, period)));
  }

  /* Those of limits of one tier; numbers that are out of a limit's bounds are left out. */
  private static Arbitrary<List<LimitTier>> upTo16(Arbitrary<? extends Limit> ofOneTier) {
    return ofOneTier
        .ignoreException(IllegalArgumentException.class)
        .map(limit -> limit.tiers().get(0))
        .list()
        .ofMinSize(1)
        .ofMaxSize(16);
  }

  private static Arbitrary<Long> units() {
    return Arbitraries.longs().between(1, Limit.MAX_UNITS);
  }

  /* Any number of microseconds, and round ones. */
  private static Arbitrary<Duration> periods() {
    Arbitrary<Long> any = Arbitraries.longs().between(1, LONGEST_US);
    Arbitrary<Long> round =
        Combinators.combine(
                Arbitraries.of(
                    1L, 1_000L, 1_000_000L, 60_000_000L, 3_600_000_000L, 86_400_000_000L),
                Arbitraries.longs().between(1, 366))
            .as((unit, number) -> unit * number);
    return Arbitraries.oneOf(any, round).map(us -> Duration.of(us, ChronoUnit.MICROS));
  }

  @Test
  @DisplayName("each algorithm has its numbers")
  void algorithms() {
    assertThat(Limits.parse("token-bucket:100/1m,burst=20"))
        .isEqualTo(TokenBucket.of(20).refill(100, Duration.ofMinutes(1)));
    assertThat(Limits.parse("leaky-bucket:1_000/d"))
        .isEqualTo(LeakyBucket.of(1_000).leak(1_000, Duration.ofDays(1)));
    assertThat(Limits.parse("sliding-window:100/1m"))
        .isEqualTo(SlidingWindow.of(100, Duration.ofMinutes(1)));
    assertThat(Limits.parse("interval-bucket:100/1m,burst=300"))
        .isEqualTo(IntervalBucket.of(300).refill(100, Duration.ofMinutes(1)));
    assertThat(Limits.parse("fixed-window:10/500ms+100/2h"))
        .isEqualTo(
            FixedWindow.of(10, Duration.ofMillis(500))
                .and(FixedWindow.of(100, Duration.ofHours(2))));
  }

  @Test
  @DisplayName("tiers have the same numbers for every algorithm")
  void tiers() {
    Duration minute = Duration.ofMinutes(1);
    assertThat(Limits.parse("interval-bucket:100/1m,burst=300+5/1s").tiers())
        .containsExactly(LimitTier.of(300, 100, minute), LimitTier.of(5, 5, Duration.ofSeconds(1)));
    assertThat(FixedWindow.of(7, minute).tiers()).containsExactly(LimitTier.of(7, 7, minute));
    assertThat(LimitTier.of(7, 7, minute).periodMicros()).isEqualTo(60_000_000);
  }

  @Test
  @DisplayName("what begins with no kind's name gets an error with all names")
  void unknownKind() {
    String names =
        Stream.of(LimitKind.values())
            .map(kind -> kind.script().scriptName())
            .collect(Collectors.joining(", "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.parse("bucket:1/1s"))
        .withMessage(
            "limit \"bucket:1/1s\" at 0, \"bucket\": a limit must begin with one of %s, and a colon"
                .formatted(names));
    assertThat(names).startsWith("fixed-window, sliding-window, token-bucket, leaky-bucket");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fixed-window | 12, \"\": a colon must follow, as in fixed-window:100/1m",
        "fixed-window:5 | 13, \"5\": a tier must be UNITS/PERIOD, such as 100/1m",
        "sliding-window:5/1s,burst=9 | 19, \",burst=9\": a window has no burst",
        "token-bucket:5/1s,size=9 | 17, \",size=9\": only ,burst=N may follow the period",
        "token-bucket:x/1s | 13, \"x\": units must be a whole number from 1 to 1000000000000",
        "token-bucket:5/1s,burst= | 24, \"\": burst must be a whole number from 1 to 1000000000000",
        "token-bucket:5/1x | 15, \"1x\": a period must be a number with us, ms, s, m, h or d, such"
            + " as 1m",
        "token-bucket:5/0s | 15, \"0s\": a period must be from 1us to 366d",
        "token-bucket:5/1s+1/366d,burst=101 | 18, \"1/366d,burst=101\": capacity must refill or"
            + " drain within 100 years: 1/366d,burst=101",
      })
  @DisplayName("a mistake is reported with its place, its words and the rule")
  void mistakes(String text, String told) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.parse(text))
        .withMessage("limit \"" + text + "\" at " + told);
  }

  @Test
  @DisplayName("seventeen tiers are too many, and long words are told in part")
  void tooMuch() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.parse("fixed-window:1/1s" + "+1/1s".repeat(16)))
        .withMessageEndingWith(" at 93, \"1/1s\": a limit has at most 16 tiers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.parse("fixed-window:" + "9".repeat(60) + "/1s"))
        .withMessageContaining(" at 13, \"" + "9".repeat(40) + "...\": units must be");
  }
}
