package io.github.penstock.compat.vectors;

import java.util.List;

/** The sliding window. */
final class SlidingScenarios {
  private static final long SECOND_US = 1_000_000;
  private static final String TEN = "10 1000000";
  private static final String TWO = "5 1000000 8 60000000";

  private SlidingScenarios() {}

  static void addTo(SequenceScenarios s) {
    sliding(s);
    waits(s);
    bigNumbers(s);
    changedLimits(s);
    clocks(s);
    refunds(s);
    tiers(s);
  }

  private static void sliding(SequenceScenarios s) {
    s.add(
        "P7 exactly full, one over, and the cost over the limit",
        q -> q.tiers(TEN).call(10, 1, 11));
    s.add(
        "P2 P7 a cost over the limit on an unused key writes nothing",
        q -> q.tiers(TEN).call(11, 0));
    s.add(
        "P7 the older window fades, a unit every tenth of the window",
        q -> {
          q.tiers(TEN).call(10).later(SECOND_US);
          for (int i = 0; i < 12; i++) {
            q.call(1).later(99_999).call(0, 1).later(1);
          }
          return q;
        });
    s.add(
        "P7 the edge of a window takes no second burst",
        q -> q.tiers(TEN).later(-1).call(1).later(SECOND_US - 1).call(9, 1).later(1).call(0, 1, 9));
    s.add(
        "P7 three in seven microseconds, peeked at every microsecond",
        q -> {
          q.tiers("3 7").call(3);
          for (int i = 0; i < 24; i++) {
            q.later(1).call(0, 1);
          }
          return q;
        });
    s.add(
        "P7 a window that was skipped is forgotten",
        q -> q.tiers(TEN).call(7).later(2 * SECOND_US - 1).call(0).later(1).call(0, 10));
    s.add(
        "P2 P7 a peek opens no window",
        q -> q.tiers(TEN).call(0).later(500_000).call(2).later(600_000).call(0, 9));
    s.add("P7 a limit of one", q -> q.tiers("1 1000000").call(1, 1).laterByWait().call(1, 1));
    s.add(
        "P5 P7 a window of one microsecond",
        q -> q.tiers("1 1").call(1, 1).later(1).call(1).later(1).call(1));
    s.add(
        "P1 P7 reset is when nothing is used any more",
        q -> q.tiers(TEN).call(4).laterByReset().later(-1).call(0).later(1).call(0));
    s.add(
        "P1 P7 reset of what only the older window has",
        q ->
            q.tiers(TEN)
                .call(4)
                .later(SECOND_US)
                .call(0)
                .laterByReset()
                .later(-1)
                .call(0)
                .later(1)
                .call(0));
  }

  private static void waits(SequenceScenarios s) {
    for (String tier : List.of(TEN, "7 3000000", "11 7", "9 1000003", "10 1000000 12 7000000")) {
      s.add(
          "P3 exactly the wait is enough and one less is not: " + tier,
          q -> {
            q.tiers(tier).call(5, 4);
            for (int i = 0; i < 6; i++) {
              q.call(1 + i).laterByWait().later(-1).call(1 + i).later(1).call(1 + i);
            }
            return q;
          });
    }
    s.add(
        "P3 the wait while the older window fades, and the wait into the next one",
        q ->
            q.tiers(TEN)
                .call(9)
                .later(SECOND_US + 123_457)
                .call(3)
                .laterByWait()
                .later(-1)
                .call(3)
                .later(1)
                .call(3, 8)
                .laterByWait()
                .later(-1)
                .call(8)
                .later(1)
                .call(8));
  }

  private static void bigNumbers(SequenceScenarios s) {
    for (String tier :
        List.of(
            "104249 86400000000",
            "104250 86400000000",
            "10000000 2592000000000",
            "9999991 2591999999999",
            "1000000000000 31622400000000",
            "999999999989 31622399999987")) {
      s.add(
          "P3 P7 products about 2^53 and far beyond: " + tier,
          q -> {
            long limit = Long.parseLong(tier.split(" ")[0]);
            long windowUs = Long.parseLong(tier.split(" ")[1]);
            q.tiers(tier).call(limit - 1, 2).later(windowUs + windowUs / 3);
            q.call(0, 1, limit / 3 - 1, 2).laterByWait().later(-1).call(2).later(1).call(2);
            q.call(limit / 2).laterByWait().later(-1).call(limit / 2).later(1).call(limit / 2);
            return q.call(limit, -1, -limit / 2, 1);
          });
    }
  }

  private static void changedLimits(SequenceScenarios s) {
    s.add(
        "P7 a limit that was lowered keeps its counts, and nothing remains",
        q ->
            q.tiers(TEN)
                .call(8)
                .later(SECOND_US)
                .call(2)
                .tiers("3 1000000")
                .call(0, 1, 4)
                .laterByWait()
                .later(-1)
                .call(1)
                .later(1)
                .call(1)
                .tiers("20 1000000")
                .call(5, 20));
    s.add(
        "P7 P10 a refund under a lowered limit",
        q -> q.tiers(TEN).call(9).tiers("5 1000000").call(-2, -3, 1, 1).laterByWait().call(1));
    s.add(
        "P9 a window that was shortened is cut",
        q ->
            q.tiers("5 60000000")
                .call(5)
                .tiers("5 1000000")
                .call(0, 1)
                .later(2 * SECOND_US)
                .call(5));
  }

  private static void clocks(SequenceScenarios s) {
    s.add(
        "P9 the clock steps back inside the open window",
        q -> q.tiers(TEN).call(3).later(300_000).call(3).later(-200_000).call(0, 5, 4));
    s.add(
        "P9 the clock steps back by less than a window: the window begins now, and the counts stay",
        q ->
            q.tiers(TEN)
                .call(7)
                .later(SECOND_US)
                .call(2)
                .later(-SECOND_US - 1)
                .call(0, 2, 1)
                .later(SECOND_US)
                .call(1, 9));
    s.add(
        "P9 the clock steps back far: the cut is written even on a denial, and two windows are the end of it",
        q ->
            q.tiers(TEN)
                .call(10)
                .later(-10 * SECOND_US)
                .call(1)
                .later(2 * SECOND_US - 1)
                .call(10)
                .later(1)
                .call(10));
    s.add(
        "P2 P9 a peek after a step back sees the cut and does not write it",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(0).later(10 * SECOND_US).call(0));
    s.add(
        "P9 a cost over the limit also writes the cut",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(11));
    s.add(
        "P9 P10 a refund after a step back writes the cut",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(-2));
    s.add(
        "P9 a step back to before the open window's end makes it the open one again",
        q -> q.tiers(TEN).call(10).later(SECOND_US + 500_000).call(0).later(-600_000).call(0, 1));
    s.add(
        "P4 P9 a cut in one of three tiers writes all three, uncharged",
        q ->
            q.tiers("5 1000000 5 60000000 5 1000000")
                .before("1700000000500000:2:1 1700009999000000:5:3 0:0:0")
                .call(1, 0)
                .before("1600000000500000:2:1 1799999999999999:5:3 1700000000000001:1:0")
                .call(1));
    s.add(
        "P9 the clock steps forward: at most one more window",
        q ->
            q.tiers(TEN)
                .call(10, 1)
                .later(31_622_400 * SECOND_US)
                .call(10, 1)
                .later(-31_622_400 * SECOND_US)
                .call(1));
  }

  private static void refunds(SequenceScenarios s) {
    s.add("P10 part of what was used, then all of it", q -> q.tiers(TEN).call(4, -3, -1, -1));
    s.add(
        "P10 first of the open window, then of the older one",
        q -> q.tiers(TEN).call(6).later(SECOND_US + 500_000).call(4, -3, -2, 0, -4, -1, -1));
    s.add(
        "P10 more than was used, and more than the limit",
        q -> q.tiers(TEN).call(4, -5).call(3, -11).call(3, -1_000_000_000_000L));
    s.add("P10 a refund creates no key", q -> q.tiers(TEN).call(-1, -10, -1_000_000_000_000L, 0));
    s.add(
        "P10 a charge after a refund of the open window counts in it",
        q ->
            q.tiers(TEN)
                .call(6)
                .later(SECOND_US + 500_000)
                .call(4, -4, 2)
                .later(499_999)
                .call(0)
                .later(1)
                .call(0));
    s.add(
        "P10 a tier that becomes unused is stored as 0:0:0",
        q -> q.tiers(TWO).call(3).later(2 * SECOND_US).call(1, -1, 1, -9));
  }

  private static void tiers(SequenceScenarios s) {
    s.add(
        "P4 a call denied by one tier charges none",
        q -> q.tiers(TWO).call(5).later(2 * SECOND_US).call(4, 3, 1));
    WindowTierScenarios.addTo(s, "s");
  }
}
