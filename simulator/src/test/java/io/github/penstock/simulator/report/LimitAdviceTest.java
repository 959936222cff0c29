package io.github.penstock.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.report.ReportFinding;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LimitAdviceTest {
  private static final String STRICT = "token-bucket:100/1m,burst=20";
  private static final String WIDE = "token-bucket:100/1m,burst=300";

  @Test
  void limitsOfDifferentRatesAreNotHeldAgainstEachOther() {
    LimitAdvice advice =
        advice(
            limit("token-bucket:100/1m", 10, 1, 1_000),
            limit("token-bucket:1/1m", 900, 9, 1_000),
            limit("token-bucket:1000000/1m", 0, 1, 0));
    assertThat(advice.recommended()).isEmpty();
    assertThat(advice.advice())
        .singleElement()
        .asString()
        .contains("3 different rates or periods", "for you to choose")
        .doesNotContain("Use");
    assertThat(
            advice(limit("fixed-window:1/1m", 760, 9, 1_000), limit("fixed-window:12/1m", 20, 2, 9))
                .recommended())
        .isEmpty();
  }

  @Test
  void theOrderInWhichTiersAreGivenMakesNoOtherRate() {
    LimitAdvice advice =
        advice(
            limit("token-bucket:100/1m+1000/1h", 400, 9, 1_000),
            limit("fixed-window:1000/1h+100/1m", 20, 2, 1_000));
    assertThat(advice.recommended()).isEqualTo("fixed-window:1000/1h+100/1m");
  }

  @Test
  void ofSeveralRatesEachIsNamedWithItsAdvice() {
    assertThat(
            advice(
                    limit("token-bucket:9/1m", 10, 1, 1_000),
                    limit("sliding-window:100/1m", 460, 46, 15_600_000),
                    limit("token-bucket:100/1m", 400, 2, 600_000))
                .advice()
                .get(1))
        .startsWith("Of 100 per minute: Use token-bucket:100/1m. It can");
  }

  @Test
  void whoCanNeverPassWaitsLongest() {
    LimitResult small = limit(STRICT, 400, 9, -1);
    LimitResult large = limit(WIDE, 400, 9, 9_000_000);
    LimitAdvice advice = advice(small, large);
    assertThat(advice.recommended()).isEmpty();
    assertThat(advice.advice().get(1))
        .startsWith(STRICT)
        .contains("and 100 % of the denied can never pass.");
    assertThat(advice.advice().get(2)).startsWith(WIDE).contains("wait no longer than 9 s.");
    LimitResult all = limit("sliding-window:100/1m", 400, 9, -1);
    LimitResult none = limit("token-bucket:100/1m", 400, 9, 9_000_000);
    assertThat(advice(all, none).recommended()).isEqualTo("token-bucket:100/1m");
    assertThat(LimitTables.summary(result(all, none), true).lines())
        .anyMatch(line -> line.matches(" +sliding-window .* for ever +400 +for ever"))
        .anyMatch(line -> line.matches(" +token-bucket .* 9 s +400 +9 s"));
  }

  @Test
  void whatHurtsFewerForAShorterTimeIsPreferredWhereBothCanPassTheSame() {
    LimitResult sliding = limit("sliding-window:100/1m", 460, 46, 15_600_000);
    LimitResult bucket = limit("token-bucket:100/1m", 400, 2, 600_000);
    assertThat(advice(sliding, bucket).recommended()).isEqualTo("token-bucket:100/1m");
    assertThat(advice(bucket, sliding).recommended()).isEqualTo("token-bucket:100/1m");
  }

  @Test
  void whereEachIsBetterInSomethingTwoAreShownAndNoneIsRecommended() {
    LimitAdvice advice =
        advice(
            limit(STRICT, 400, 9, 500_000),
            limit("token-bucket:100/1m,burst=60", 250, 6, 500_000),
            limit(WIDE, 10, 1, 500_000));
    assertThat(advice.recommended()).isEmpty();
    assertThat(advice.advice())
        .hasSize(3)
        .first()
        .asString()
        .contains("None of these limits is better in everything");
    assertThat(advice.advice().get(1))
        .startsWith(STRICT)
        .contains("can pass 120 requests", "denies 40 %", "9 of 19 subjects");
    assertThat(advice.advice().get(2)).startsWith(WIDE).contains("can pass 400", "denies 1.0 %");
  }

  @Test
  void aDifferenceBelowTheNoiseIsNone() {
    LimitResult strict = limit(STRICT, 104, 5, 500_000);
    assertThat(advice(limit(WIDE, 101, 5, 510_000), strict).recommended()).isEqualTo(STRICT);
    assertThat(advice(limit(WIDE, 50, 5, 500_000), strict).recommended()).isEmpty();
    assertThat(
            advice(limit("fixed-window:100/1m", 9, 1, 1), limit("sliding-window:100/1m", 9, 1, 1))
                .advice()
                .get(0))
        .startsWith("Use fixed-window:100/1m")
        .endsWith("does not tell it from sliding-window:100/1m.");
  }

  @Test
  void aLimitThatPutsOffWhatItAdmitsIsATrade() {
    LimitAdvice advice =
        advice(late("leaky-bucket:100/1m"), limit("fixed-window:100/1m", 10, 1, 900_000));
    assertThat(advice.recommended()).isEmpty();
    assertThat(advice.advice().get(1)).contains("leaky-bucket", "can pass 100", "by 56 s or more");
    assertThat(advice.advice().get(2)).contains("fixed-window", "can pass 200");
  }

  @Test
  void adviceSaysHowMuchPassedAndHowMuchCan() {
    assertThat(one("fixed-window:100/1m"))
        .contains("in any minute: 100 at the end of a window and");
    assertThat(one("sliding-window:100/1m")).contains("200 requests of one subject in any minute:");
    assertThat(one("token-bucket:100/1m")).contains("the 100 that it holds and the 100 that it");
    assertThat(one("interval-bucket:100/1m,burst=50")).contains("can pass 150", "the next 100");
    assertThat(one("leaky-bucket:100/1m,burst=50")).contains("can pass 100 requests", "; here 77");
  }

  @Test
  void ofLimitsThatDenyHalfNoneFits() {
    LimitAdvice advice = advice(limit(STRICT, 600, 5, 1_000), limit(WIDE, 600, 5, 1_000));
    assertThat(advice.advice().get(0))
        .startsWith("None of these limits fits. The best is " + STRICT);
    assertThat(advice.recommended()).isEmpty();
  }

  @Test
  void whereNothingIsDeniedNothingIsClaimed() {
    LimitAdvice advice = advice(limit("fixed-window:9/1m", 0, 1, 0));
    assertThat(advice.advice().get(0)).startsWith("None of the limits denied anything");
    assertThat(advice.recommended()).isEmpty();
  }

  @Property
  void neverTheOneThatCanPassMoreAndDeniesMore(
      @ForAll @IntRange(min = 1, max = 500) int oneBurst,
      @ForAll @IntRange(min = 1, max = 500) int otherBurst,
      @ForAll @IntRange(max = 999) int oneDenied,
      @ForAll @IntRange(max = 999) int otherDenied,
      @ForAll @IntRange(min = 1, max = 40) int oneHurt,
      @ForAll @IntRange(min = 1, max = 40) int otherHurt) {
    String name = "token-bucket:100/1m,burst=";
    LimitResult one = limit(name + oneBurst, oneDenied, oneHurt, 1_000L * otherHurt);
    LimitResult other = limit(name + otherBurst, otherDenied, otherHurt, 1_000L * oneHurt);
    String recommended = advice(one, other).recommended();
    if (oneBurst > otherBurst && oneDenied > otherDenied) {
      assertThat(recommended).isNotEqualTo(one.candidate().name());
    }
    if (otherBurst > oneBurst && otherDenied > oneDenied) {
      assertThat(recommended).isNotEqualTo(other.candidate().name());
    }
  }

  @Test
  void whatCanNeverPassIsSaidWithItsRemedy() {
    LimitCandidate candidate = LimitCandidate.of("leaky-bucket:5/1m");
    ReplayStats stats = new ReplayStats(candidate);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 9), -1);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 8), -1);
    assertThat(advice(new LimitResult(candidate, stats, null)).cautions().get(0).sentence())
        .isEqualTo(
            "leaky-bucket:5/1m can never admit 2 of these requests: each costs more than it holds."
                + " Raise its burst, or lower the cost.");
  }

  @Test
  void aLogThatIsShorterThanAPeriodIsToldSo() {
    LimitResult day = limit("fixed-window:1000/1d", 10, 1, 1_000);
    LimitResult second = limit("fixed-window:1/1ms", 10, 1, 1_000);
    LimitResult hour = limit("fixed-window:5/1h", 10, 1, 1_000);
    LimitResult another = limit("token-bucket:5/1h", 10, 1, 1_000);
    assertThat(advice(day, second, hour, another).cautions())
        .extracting(ReportFinding::sentence)
        .containsExactly(
            "The log covers 9.99 ms, and fixed-window:5/1h, token-bucket:5/1h count over 1 h: this"
                + " does not show what they would do to a whole one.",
            "The log covers 9.99 ms, and fixed-window:1000/1d counts over 1 d: this does not show"
                + " what it would do to a whole one.");
  }

  private static String one(String text) {
    return advice(limit(text, 10, 1, 1_000)).advice().get(0);
  }

  /* 1,000 requests 10 µs apart are admitted or denied, and some of subjects that are denied. */
  private static LimitResult limit(String text, int denied, int hurt, long waitUs) {
    LimitCandidate candidate = LimitCandidate.of(text);
    ReplayStats stats = new ReplayStats(candidate);
    for (int i = 0; i < 1_000; i++) {
      boolean isDenied = i < denied;
      String subject = isDenied ? "hurt-" + i % hurt : "other-" + i % 10;
      TrafficRequest request = new TrafficRequest(TrafficScenario.BEGIN_US + 10 * i, subject, 1);
      if (isDenied) {
        stats.denied(request, waitUs);
      } else {
        stats.admitted(request, 0);
      }
    }
    stats.passed(0, 77, TrafficScenario.BEGIN_US, "other-1", true);
    return new LimitResult(candidate, stats, null);
  }

  private static LimitResult late(String text) {
    LimitCandidate candidate = LimitCandidate.of(text);
    ReplayStats stats = new ReplayStats(candidate);
    stats.admitted(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 1), 56_000_000);
    return new LimitResult(candidate, stats, null);
  }

  private static LimitAdvice advice(LimitResult... results) {
    return new LimitAdvice(result(results));
  }

  private static ReplayResult result(LimitResult... results) {
    return new ReplayResult("traffic", "", ZoneOffset.UTC, SubjectShare.ALL, List.of(results));
  }
}
