package io.github.penstock.compat.reservation;

import static io.github.penstock.compat.reservation.ScenarioBuilder.KEEP_US;
import static io.github.penstock.compat.reservation.ScenarioBuilder.bucket;
import static io.github.penstock.compat.reservation.ScenarioBuilder.places;
import static io.github.penstock.compat.reservation.ScenarioBuilder.window;

import io.github.penstock.compat.reservation.ScenarioBuilder.Entry;
import java.util.stream.Stream;

/** Keys that are lost and clocks that step, as a bounded search of the scripts found them. */
final class LossScenarios {
  private static final long SECOND_US = 1_000_000;
  private static final long HOUR_US = 3_600 * SECOND_US;
  private static final Entry ONE_PLACE = new Entry("c", "reserve concurrency 1 1 1");
  private static final Entry ONE_OF_ONE = new Entry("w", "reserve fixed-window 1 1 1 900");

  private LossScenarios() {}

  static Stream<ScenarioBuilder> all() {
    return Stream.of(lost(), stepped(), texts()).flatMap(part -> part);
  }

  private static ScenarioBuilder that(String name) {
    return new ScenarioBuilder(name);
  }

  private static Stream<ScenarioBuilder> lost() {
    return Stream.of(
        that("R4 R9 a place whose key was lost is held again only where there is room")
            .reserve(600 * SECOND_US, "x", ONE_PLACE)
            .at(SECOND_US)
            .without("c")
            .reserve("y", ONE_PLACE)
            .settle(KEEP_US, "c x", "0")
            .settle(KEEP_US, "c y", "0")
            .settle(0, "c y", "0")
            .settle(KEEP_US, "c x", "0")
            .reserve("z", ONE_PLACE)
            .without("c")
            .settle(KEEP_US, "c z", "0")
            .reserve("u", ONE_PLACE),
        that("R4 R9 a place that was lost is lost at the end, too")
            .reserve("x", ONE_PLACE)
            .at(1)
            .without("c")
            .reserve("y", ONE_PLACE)
            .settle(0, "c x", "0")
            .settle(0, "c y", "0"),
        that("R4 R9 what is lost with a place runs out, and is charged as it was estimated")
            .reserve("x", ONE_PLACE, bucket("r", "reserve", 40))
            .at(1)
            .without("c")
            .reserve("y", ONE_PLACE)
            .settle(KEEP_US, "c r x", "0 10")
            .reserve(0, "", bucket("r", "reserve", 0))
            .at(70 * SECOND_US)
            .reserve(0, "", bucket("r", "debit", 1)),
        that("R4 a rate whose key was lost is charged and held again where there is room")
            .reserve("x", bucket("r", "reserve", 60))
            .at(1)
            .without("r")
            .reserve("y", bucket("r", "reserve", 40))
            .settle(KEEP_US, "r x", "20")
            .without("r")
            .reserve("z", bucket("r", "reserve", 61))
            .settle(0, "r x", "30")
            .settle(0, "r y", "40"),
        that("R4 a rate whose key was lost is lost where others took its room")
            .reserve("x", bucket("r", "reserve", 60))
            .at(1)
            .without("r")
            .reserve("y", bucket("r", "reserve", 41))
            .settle(0, "r x", "60")
            .reserve("x", bucket("r", "reserve", 60))
            .settle(0, "r y", "41"),
        that("R8 R9 two holders need no clock that is ahead")
            .reserve(1000, "x", ONE_PLACE)
            .at(-495_437)
            .without("c")
            .reserve(1000, "y", ONE_PLACE)
            .settle(1000, "c x", "0")
            .settle(1000, "c y", "0"),
        that("R8 a window is not charged beyond its limit where its key was lost")
            .reserve(1000, "x", ONE_OF_ONE)
            .at(-495_437)
            .without("w")
            .reserve(1000, "y", ONE_OF_ONE)
            .settle(0, "w x", "1")
            .settle(0, "w y", "1"));
  }

  private static Stream<ScenarioBuilder> stepped() {
    return Stream.of(
        that("R12 who was answered 0 is not answered 1 after a step back")
            .reserve("x", bucket("r", "reserve", 40), places("c", 1))
            .at(HOUR_US)
            .settle(KEEP_US, "r c x", "1 0")
            .at(SECOND_US)
            .settle(KEEP_US, "r c x", "1 0")
            .reserve(0, "", bucket("r", "reserve", 0), places("c", 0)),
        that("R2 R12 a repeat after a step back tells no longer wait than the bucket has")
            .raw("reserve", "l a", KEEP_US + " NOW charge leaky-bucket 1 1 2 1 1000000")
            .raw("reserve", "l b", KEEP_US + " NOW charge leaky-bucket 1 1 2 1 1000000")
            .at(-HOUR_US)
            .raw("reserve", "l b", KEEP_US + " NOW charge leaky-bucket 1 1 2 1 1000000")
            .without("l")
            .raw("reserve", "l b", KEEP_US + " NOW charge leaky-bucket 1 1 2 1 1000000"),
        that("R5 after a clock that was ahead a new hold lasts up to then, unless the key is deleted")
            .at(HOUR_US)
            .reserve("x", places("c", 1))
            .settle(0, "c x", "0")
            .at(0)
            .reserve(2 * KEEP_US, "y", places("c", 1))
            .at(3_720 * SECOND_US)
            .reserve(0, "", places("c", 0))
            .at(0)
            .without("c")
            .settle(2 * KEEP_US, "c y", "0")
            .at(130 * SECOND_US)
            .reserve(0, "", places("c", 0)),
        that("R5 R12 a key that was not written since the step holds until its own time")
            .at(HOUR_US)
            .reserve(0, "", bucket("r", "debit", 1))
            .at(0)
            .reserve("x", bucket("r", "reserve", 1), places("c", 1))
            .at(2 * HOUR_US)
            .reserve(0, "", bucket("r", "debit", 1))
            .at(SECOND_US)
            .settle(0, "r c x", "1 0")
            .reserve(0, "", places("c", 0)));
  }

  private static Stream<ScenarioBuilder> texts() {
    return Stream.of(
        that("R2 a call that is sent again after its receipt has run out is a new call")
            .raw("reserve", "w i", "300000 NOW debit fixed-window 10 1 100 60000000")
            .at(460_000)
            .raw("reserve", "w i", "300000 NOW debit fixed-window 10 1 100 60000000"),
        that("R8 a key that is deleted forgets what was charged and held")
            .reserve("x", window("w", "reserve", 10))
            .settle(0, "w x", "10")
            .without("w")
            .reserve("y", window("w", "reserve", 10))
            .settle(0, "w y", "10"),
        that("R13 settle reads a key before it compares totals")
            .reserve("x", bucket("r", "reserve", 40))
            .settle(0, "r x", "1")
            .holding("r", "17")
            .raw("settle", "r x", "0 NOW 2"));
  }
}
