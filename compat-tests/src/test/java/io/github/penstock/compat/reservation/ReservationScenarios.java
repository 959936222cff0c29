package io.github.penstock.compat.reservation;

import static io.github.penstock.compat.reservation.ScenarioBuilder.KEEP_US;
import static io.github.penstock.compat.reservation.ScenarioBuilder.bucket;
import static io.github.penstock.compat.reservation.ScenarioBuilder.places;
import static io.github.penstock.compat.reservation.ScenarioBuilder.sliding;
import static io.github.penstock.compat.reservation.ScenarioBuilder.window;

import java.util.List;
import java.util.stream.Stream;

/** The sequences of {@code reservation.json}. */
final class ReservationScenarios {
  /* What a minute from the start is rounded up to. */
  private static final long UNTIL_US = 62_980_096;
  private static final long SECOND_US = 1_000_000;
  private static final String WRONG = "R13 errors name what is wrong first: ";

  private ReservationScenarios() {}

  static List<ReservationVectors.Sequence> all() {
    return Stream.of(
            deciding(),
            settling(),
            runningOut(),
            clocks(),
            LossScenarios.all(),
            errors(),
            DamageScenarios.all())
        .flatMap(part -> part.map(ScenarioBuilder::done))
        .toList();
  }

  private static ScenarioBuilder that(String name) {
    return new ScenarioBuilder(name);
  }

  private static Stream<ScenarioBuilder> deciding() {
    return Stream.of(
        that("R1 R3 an amount is held under several limits, or under none")
            .reserve("a", bucket("r1", "reserve", 40), window("r2", "reserve", 4), places("c", 1))
            .reserve("b", bucket("r1", "reserve", 40), window("r2", "reserve", 7), places("c", 1))
            .reserve("c1", bucket("r1", "reserve", 61), window("r2", "reserve", 6), places("c", 2))
            .reserve("d", bucket("r1", "reserve", 60), window("r2", "reserve", 6), places("c", 2)),
        that("R3 a debit is allowed exactly when a reservation would be, and charges at once")
            .reserve("a", bucket("r", "reserve", 40))
            .reserve(0, "", bucket("r", "debit", 61))
            .reserve(0, "", bucket("r", "debit", 60))
            .at(SECOND_US)
            .reserve("b", bucket("r", "debit", 10)),
        that("R3 never is said only where the cost alone exceeds a limit")
            .reserve("a", bucket("r", "reserve", 100))
            .reserve("b", bucket("r", "reserve", 100))
            .reserve("c", bucket("r", "reserve", 101))
            .reserve("d", places("c1", 4), window("w", "charge", 10)),
        that("R2 a call that is sent again is done once")
            .reserve("a", bucket("r", "reserve", 40), bucket("n", "charge", 30))
            .at(SECOND_US)
            .reserve(2 * KEEP_US, "a", bucket("r", "reserve", 40), bucket("n", "charge", 30))
            .reserve("a", bucket("r", "reserve", 41), bucket("n", "charge", 30))
            .reserve("a", bucket("r", "reserve", 40))
            .settle(0, "r a", "10")
            .reserve("a", bucket("r", "reserve", 40), bucket("n", "charge", 30)),
        that("R2 R5 a receipt is over with its time, and the call is a new one")
            .reserve("a", bucket("r", "reserve", 40))
            .at(UNTIL_US - 1)
            .reserve("a", bucket("r", "reserve", 40))
            .at(UNTIL_US)
            .reserve("a", bucket("r", "reserve", 40)),
        that("R2 a denial leaves no receipt")
            .reserve("a", bucket("r", "reserve", 100))
            .reserve("b", bucket("r", "reserve", 10))
            .settle(0, "r b", "1")
            .settle(0, "r a", "0")
            .reserve("b", bucket("r", "reserve", 10)),
        that("R2 a repeat answers what is left until the turn of a leaky bucket")
            .reserve("a", leaky(60), leakyOther(10))
            .reserve("b", leaky(30), leakyOther(20))
            .at(SECOND_US)
            .reserve("b", leaky(30), leakyOther(20))
            .at(30 * SECOND_US)
            .reserve("b", leaky(30), leakyOther(20)),
        that("R6 entries that charge share their keys with the scripts themselves")
            .alone("token-bucket", "n", "7 100 10 1000000")
            .reserve("a", bucket("n", "charge", 40), window("w", "charge", 3))
            .alone("fixed-window", "w", "8 10 10000000")
            .alone("fixed-window", "w", "-2 10 10000000")
            .reserve(0, "", bucket("n", "charge", 54), window("w", "charge", 9))
            .reserve(0, "", bucket("n", "charge", 53), window("w", "charge", 9))
            .at(10 * SECOND_US)
            .alone("token-bucket", "n", "0 100 10 1000000")
            .reserve(0, "", sliding("s", "charge", 4), interval(3)),
        that("R7 a peek writes nothing, and reports what is held")
            .reserve("a", bucket("r", "reserve", 40), sliding("s", "reserve", 4), places("c", 1))
            .at(UNTIL_US + 1)
            .reserve(0, "", bucket("r", "reserve", 0), sliding("s", "debit", 0), places("c", 0)),
        that("R9 no more than the limit are held, and a limit that was lowered counts at once")
            .reserve("a", places("c", 2))
            .reserve("b", places("c", 1))
            .reserve("c1", places("c", 1))
            .raw("reserve", "c x", KEEP_US + " NOW reserve concurrency 1 1 2")
            .settle(0, "c a", "0")
            .reserve("c1", places("c", 1)));
  }

  private static ScenarioBuilder.Entry leaky(long cost) {
    return new ScenarioBuilder.Entry("l", "charge leaky-bucket " + cost + " 1 100 10 1000000");
  }

  private static ScenarioBuilder.Entry leakyOther(long cost) {
    return new ScenarioBuilder.Entry("m", "charge leaky-bucket " + cost + " 1 100 1 1000000");
  }

  private static ScenarioBuilder.Entry interval(long cost) {
    return new ScenarioBuilder.Entry("i", "charge interval-bucket " + cost + " 1 10 2 1000000");
  }

  private static Stream<ScenarioBuilder> settling() {
    return Stream.of(
        that("R4 R8 what was not used is released, once")
            .reserve("a", bucket("r", "reserve", 40), window("w", "reserve", 4), places("c", 1))
            .at(SECOND_US)
            .settle(0, "r w c a", "10 1 0")
            .settle(0, "r w c a", "10 1 5")
            .settle(0, "r w c a", "5 0 0")
            .settle(KEEP_US, "r w c a", "5 0 0")
            .settle(0, "r w c a", "11 1 0"),
        that("R4 R8 what was used beyond the estimate is charged, beyond the limit if need be")
            .reserve("a", bucket("r", "reserve", 40), window("w", "reserve", 4))
            .settle(0, "r w a", "250 30")
            .reserve("b", bucket("r", "reserve", 1), window("w", "reserve", 1))
            .at(15 * SECOND_US)
            .reserve("b", bucket("r", "reserve", 1), window("w", "reserve", 1))
            .at(16 * SECOND_US)
            .reserve("b", bucket("r", "reserve", 1), window("w", "reserve", 1)),
        that("R4 R5 long work settles in parts, and holds the rest")
            .reserve("a", bucket("r", "reserve", 40), places("c", 1))
            .at(20 * SECOND_US)
            .settle(KEEP_US, "r c a", "10 0")
            .settle(KEEP_US, "r c a", "5 0")
            .at(70 * SECOND_US)
            .settle(2 * KEEP_US, "r c a", "60 9")
            .at(140 * SECOND_US)
            .settle(0, "r c a", "61 9"),
        that("R4 with totals of 0 it is cancelled")
            .reserve("a", bucket("r", "reserve", 40), places("c", 1))
            .settle(0, "r c a", "0 0")
            .reserve("b", bucket("r", "reserve", 100), places("c", 3)),
        that("R4 nobody releases what others hold after a reset")
            .reserve("a", bucket("r", "reserve", 40))
            .at(1)
            .without("r")
            .reserve("b", bucket("r", "reserve", 50))
            .settle(0, "r a", "10")
            .settle(0, "r b", "50"),
        that("R4 a key that was deleted is charged, and holds the rest again")
            .reserve("a", bucket("r", "reserve", 40), places("c", 1))
            .at(1)
            .without("r")
            .without("c")
            .settle(KEEP_US, "r c a", "10 0")
            .settle(0, "r c a", "20 0"),
        that("R4 a key that was deleted and gets nothing is not made")
            .reserve("a", bucket("r", "reserve", 40), places("c", 1))
            .without("r")
            .without("c")
            .settle(0, "r c a", "0 0"),
        that("R4 settled in the next window, it is charged there")
            .reserve("a", window("w", "reserve", 8), sliding("s", "reserve", 8))
            .reserve(0, "", window("w", "debit", 2), sliding("s", "debit", 2))
            .at(12 * SECOND_US)
            .settle(0, "w s a", "5 5")
            .reserve("b", window("w", "reserve", 5), sliding("s", "reserve", 5)),
        that("R4 debt has an end, and the rest is forgiven")
            .raw("reserve", "r a", KEEP_US + " NOW reserve token-bucket 1 1 1 1 3600000000")
            .settle(0, "r a", "1000000000000")
            .raw("reserve", "w b", KEEP_US + " NOW reserve fixed-window 5 1 5 1000000")
            .settle(KEEP_US, "w b", "999999999999")
            .settle(0, "w b", "1000000000000"));
  }

  private static Stream<ScenarioBuilder> runningOut() {
    return Stream.of(
        that("R5 what ran out is charged at its time, however late somebody looks")
            .reserve("a", bucket("r", "reserve", 40), window("w", "reserve", 4), places("c", 1))
            .at(UNTIL_US + 2 * SECOND_US)
            .reserve("b", bucket("r", "reserve", 1), window("w", "reserve", 1), places("c", 1))
            .settle(0, "r w c a", "1 1 1"),
        that("R5 several times run out in their order")
            .reserve("a", bucket("r", "reserve", 40), sliding("s", "reserve", 2))
            .reserve(30 * SECOND_US, "b", bucket("r", "reserve", 10), sliding("s", "reserve", 3))
            .reserve(1000, "c", bucket("r", "reserve", 5), sliding("s", "reserve", 4))
            .at(66 * SECOND_US)
            .reserve("d", bucket("r", "reserve", 77), sliding("s", "reserve", 9))
            .reserve("d", bucket("r", "reserve", 80), sliding("s", "reserve", 8)),
        that("R5 the end is the call's, not that of one of its keys")
            .at(40 * SECOND_US)
            .reserve("a", bucket("r", "reserve", 1))
            .at(0)
            .reserve("b", bucket("r", "reserve", 2), bucket("q", "reserve", 2)),
        that("R5 R12 what has run out stays so after a step back")
            .reserve("a", bucket("r", "reserve", 40), places("c", 1))
            .at(UNTIL_US)
            .reserve(0, "", bucket("r", "debit", 1))
            .at(SECOND_US)
            .settle(0, "r c a", "1 1")
            .reserve("a", bucket("r", "reserve", 40), places("c", 1)),
        that("R7 a denial writes where something ran out, and only that")
            .reserve("a", bucket("r", "reserve", 40), places("c", 3))
            .reserve("b", window("w", "reserve", 10))
            .at(UNTIL_US)
            .reserve("x", bucket("r", "reserve", 101), places("c", 1), bucket("q", "debit", 1))
            .reserve("x", bucket("r", "reserve", 101), places("c", 1), bucket("q", "debit", 1)),
        that("R11 the wait of a denial is exact, whatever runs out meanwhile")
            .reserve(5 * SECOND_US, "a", bucket("r", "reserve", 90), window("w", "reserve", 9))
            .reserve("b", bucket("r", "reserve", 30), window("w", "reserve", 3))
            .afterWait(-1)
            .reserve("b", bucket("r", "reserve", 30), window("w", "reserve", 3))
            .afterWait(0)
            .reserve("b", bucket("r", "reserve", 30), window("w", "reserve", 3)),
        that("R11 the wait is exact where several sums run out, in a bucket and in a sliding window")
            .reserve(9 * SECOND_US, "a", bucket("r", "reserve", 50))
            .reserve(2 * SECOND_US, "b", bucket("r", "reserve", 45), sliding("s", "reserve", 6))
            .at(SECOND_US)
            .reserve(7 * SECOND_US, "c", sliding("s", "reserve", 4))
            .reserve("d", bucket("r", "reserve", 70))
            .reserve("e", sliding("s", "reserve", 7))
            .afterWait(-1)
            .reserve("e", sliding("s", "reserve", 7))
            .afterWait(0)
            .reserve("e", sliding("s", "reserve", 7)));
  }

  private static Stream<ScenarioBuilder> clocks() {
    return Stream.of(
        that("R12 a clock that steps back forgives no debt, and charges nothing twice")
            .reserve("a", bucket("r", "reserve", 40))
            .settle(0, "r a", "250")
            .at(-30 * SECOND_US)
            .reserve(0, "", bucket("r", "debit", 0))
            .reserve("b", bucket("r", "reserve", 1))
            .reserve("b", bucket("r", "reserve", 1))
            .at(-14 * SECOND_US)
            .reserve("b", bucket("r", "reserve", 1)),
        that("R12 P9 windows and native keys are cut, and a denial stores that")
            .reserve("a", window("w", "reserve", 4), bucket("n", "charge", 100))
            .settle(0, "w a", "4")
            .at(-40 * SECOND_US)
            .reserve("b", window("w", "reserve", 11), bucket("n", "charge", 1))
            .reserve("b", window("w", "reserve", 1), window("v", "charge", 11)),
        that("R10 a key lives as long as anything of it matters")
            .reserve(1000, "a", bucket("r", "reserve", 100), sliding("s", "reserve", 10))
            .reserve(1000, "b", places("c", 1))
            .settle(0, "c b", "0"));
  }

  private static Stream<ScenarioBuilder> errors() {
    String entry = " charge token-bucket 1 1 100 10 1000000";
    String held = " reserve token-bucket 1 1 100 10 1000000";
    String keep = KEEP_US + " NOW";
    return Stream.of(
        that(WRONG + "keys, times")
            .raw("reserve", "k", KEEP_US + " NOW" + entry)
            .raw("reserve", "k k", "0 NOW" + entry + entry)
            .raw("reserve", "a b c d e f g h i j", "0 NOW" + entry)
            .raw("reserve", "k a", "999 NOW" + entry)
            .raw("reserve", "k a", "31622400000001 NOW" + entry)
            .raw("reserve", "k a", "nan NOW" + entry)
            .raw("reserve", "k", "0 17" + entry)
            .raw("reserve", "k", "0 4503599627370496" + entry),
        that(WRONG + "entries")
            .raw("reserve", "k", "0 NOW take token-bucket 1 1 100 10 1000000")
            .raw("reserve", "k", "0 NOW charge concurrency 1 1 3")
            .raw("reserve", "k a", keep + " reserve leaky-bucket 1 1 100 10 1000000")
            .raw("reserve", "k a", keep + " debit concurrency 1 1 3")
            .raw("reserve", "k", "0 NOW charge token-bucket -1 1 100 10 1000000")
            .raw("reserve", "k", "0 NOW charge token-bucket 1*2 1 100 10 1000000")
            .raw("reserve", "k a", keep + " charge token-bucket 0 1 100 10 1000000")
            .raw("reserve", "k", "0 NOW" + held)
            .raw("reserve", "k l", "0 NOW" + entry + " charge token-bucket 0 1 100 10 1000000")
            .raw("reserve", "k", "0 NOW charge token-bucket 1 17 100 10 1000000")
            .raw("reserve", "k a", keep + " reserve concurrency 1 2 3 3")
            .raw("reserve", "k", "0 NOW charge token-bucket 1 1 0 10 1000000")
            .raw("reserve", "k a", keep + " reserve token-bucket 1 1 100 10 0")
            .raw(
                "reserve", "k a", keep + " reserve token-bucket 1 1 1000000000000 1 31622400000000")
            .raw("reserve", "k a", keep + " reserve concurrency 1 1 0")
            .raw("reserve", "k", "0 NOW charge token-bucket 1 2 100 10 1000000")
            .raw("reserve", "k l", "0 NOW" + entry)
            .raw("reserve", "k", "0 NOW" + entry + " 1"),
        that(WRONG + "what is stored")
            .holding("k", "17")
            .raw("reserve", "k", "0 NOW" + entry)
            .raw("reserve", "k a", keep + held)
            .holding("r", "17")
            .raw("reserve", "k2 r", keep + held)
            .holding("t", "x")
            .raw("settle", "k2 t", "0 NOW 1"),
        that(WRONG + "settlements")
            .reserve("a", bucket("r", "reserve", 40), bucket("n", "charge", 1), places("c", 1))
            .raw("settle", "a", "0 NOW 1")
            .raw("settle", "r a", "7 NOW 1")
            .raw("settle", "r a", "0 NOW")
            .raw("settle", "r a", "0 NOW -1")
            .raw("settle", "r a", "0 NOW 1")
            .raw("settle", "c r a", "0 NOW 1 1")
            .raw("settle", "r n c a", "0 NOW 1 1 1")
            .raw("settle", "r c z", "0 NOW 1 1")
            .settle(0, "r c a", "1 1")
            .settle(0, "r c a", "2 1"));
  }
}
