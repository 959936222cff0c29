package io.github.penstock.compat.vectors;

import java.util.List;

/** The bucket that refills in whole batches. */
final class IntervalScenarios {
  private static final long SECOND_US = 1_000_000;
  private static final String TEN = "10 4 1000000";
  private static final String TWO = "10 10 1000000 12 5 60000000";

  private IntervalScenarios() {}

  static void addTo(SequenceScenarios s) {
    batches(s);
    waits(s);
    bounds(s);
    clocks(s);
    refunds(s);
    tiers(s);
    s.add(
        "P13 two settings have two keys and admit the sum of both", IntervalScenarios::twoSettings);
  }

  private static void batches(SequenceScenarios s) {
    s.add(
        "P7 exactly empty, one over, and the cost over the capacity",
        q -> q.tiers(TEN).call(10, 1, 11));
    s.add(
        "P2 P7 a cost over the capacity on an unused key writes nothing",
        q -> q.tiers(TEN).call(11, 0));
    s.add(
        "P7 tokens come at once, at the end of each interval",
        q ->
            q.tiers(TEN)
                .call(10)
                .later(999_999)
                .call(0, 1)
                .later(1)
                .call(0, 1, 3, 1)
                .later(2 * SECOND_US - 1)
                .call(0)
                .later(1)
                .call(0, 8));
    s.add(
        "P7 the rest of an interval is not lost",
        q ->
            q.tiers(TEN)
                .call(10)
                .later(1_500_000)
                .call(4, 1)
                .later(499_999)
                .call(1)
                .later(1)
                .call(4));
    s.add(
        "P7 intervals are counted from the first charge of a full bucket",
        q ->
            q.tiers(TEN)
                .call(4)
                .later(2_300_000)
                .call(1)
                .later(999_999)
                .call(0, 9)
                .later(1)
                .call(0, 4)
                .laterByReset()
                .call(10));
    s.add(
        "P7 a batch of more than the bucket holds fills it",
        q -> q.tiers("5 9 1000000").call(5, 1).later(SECOND_US - 1).call(1).later(1).call(5, 1));
    s.add(
        "P7 seven per three seconds, at uneven times, never drifts",
        q -> {
          q.tiers("7 7 3000000").call(1);
          for (int i = 0; i < 40; i++) {
            q.later(91_373L * (i % 7)).call(1 + i % 3);
          }
          return q;
        });
    s.add(
        "P7 after many intervals at once",
        q ->
            q.tiers("1000000 3 1000000")
                .call(1_000_000)
                .later(100_000 * SECOND_US + 7)
                .call(0, 300_000, 1));
    s.add(
        "P7 a capacity of one",
        q -> q.tiers("1 1 1000000").call(1, 1).later(999_999).call(1).later(1).call(1));
    s.add(
        "P5 P7 an interval of one microsecond",
        q -> q.tiers("3 1 1").call(3, 1).later(1).call(1).later(3).call(3));
    s.add(
        "P2 P7 a peek begins no interval",
        q -> q.tiers(TEN).call(0).later(500_000).call(2).later(600_000).call(0));
    s.add(
        "P1 P7 reset is when nothing is missing any more",
        q -> q.tiers(TEN).call(9).laterByReset().later(-1).call(0).later(1).call(0));
  }

  private static void waits(SequenceScenarios s) {
    for (String tier :
        List.of(TEN, "7 7 3000000", "5 3 7", "100 11 86400000000", "10 9 1000000 50 7 3000000")) {
      s.add(
          "P3 exactly the wait is enough and one less is not: " + tier,
          q -> {
            q.tiers(tier).call(5, 5);
            for (int i = 0; i < 4; i++) {
              q.call(4).laterByWait().later(-1).call(4).later(1).call(4);
            }
            return q;
          });
    }
  }

  private static void bounds(SequenceScenarios s) {
    s.add(
        "P6 P7 a bucket of exactly 100 years, and of more",
        q ->
            q.tiers("100 1 31557600000000")
                .call(100, 1)
                .later(31_557_600_000_000L)
                .call(1, 1)
                .keys("more")
                .tiers("101 1 31557600000000")
                .call(1)
                .tiers("100 1 31557600000001")
                .call(1)
                .tiers("200 2 31557600000000")
                .call(1)
                .tiers("201 2 31557600000000")
                .call(1)
                .keys("three")
                .tiers("300 3 31557600000000")
                .call(1)
                .tiers("298 3 31557600000000")
                .call(1));
    s.add(
        "P6 P7 the largest numbers of a bucket",
        q ->
            q.tiers("1000000000000 1 3155")
                .call(1_000_000_000_000L, 1)
                .later(3_155)
                .call(1, 1)
                .keys("batch")
                .tiers("1000000000000 1000000000000 31622400000000")
                .call(1_000_000_000_000L, 1)
                .keys("error")
                .tiers("1000000000000 1 31622400000000")
                .call(1));
    s.add(
        "P6 the wrong tier is an error wherever it stands, and even if another denies",
        q ->
            q.tiers(TEN + " 101 1 31557600000000")
                .call(1, 11, 0)
                .tiers("101 1 31557600000000 " + TEN)
                .call(1));
  }

  private static void clocks(SequenceScenarios s) {
    s.add(
        "P9 the clock steps back inside the interval",
        q -> q.tiers(TEN).call(5).later(400_000).call(1).later(-300_000).call(0, 1, 4));
    s.add(
        "P9 the clock steps back far: the interval begins now, even on a denial",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(0, 1).later(SECOND_US).call(4, 1));
    s.add(
        "P2 P9 a peek after a step back sees the cut and does not write it",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(0).later(10 * SECOND_US).call(0));
    s.add(
        "P9 a cost over the capacity also writes the cut",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(11));
    s.add(
        "P9 P10 a refund after a step back writes the cut",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(-3));
    s.add(
        "P4 P9 a cut in one of three tiers writes all three, uncharged",
        q ->
            q.tiers("10 4 1000000 1000 1 1000000 5 7 3000000")
                .before("1700000000400000:9 1700009999000000:1000 0:0")
                .call(1000)
                .before("1700000000400000:9 1799999999999999:1000 1700000000000001:5")
                .call(1, 0)
                .before("1600000000400000:9 1799999999999999:1000 1600000000000001:5")
                .call(1));
    s.add(
        "P9 the clock steps forward: at most one more burst",
        q ->
            q.tiers(TEN)
                .call(10, 1)
                .later(31_622_400 * SECOND_US)
                .call(10, 1)
                .later(-31_622_400 * SECOND_US)
                .call(1));
  }

  private static void refunds(SequenceScenarios s) {
    s.add("P10 part of what was used, then all of it", q -> q.tiers(TEN).call(7, -3, -4, -1));
    s.add(
        "P10 more than was used, and more than the capacity",
        q -> q.tiers(TEN).call(7, -8).call(3, -10).call(3, -11).call(3, -1_000_000_000_000L));
    s.add("P10 a refund creates no key", q -> q.tiers(TEN).call(-1, -10, -1_000_000_000_000L, 0));
    s.add(
        "P10 a refund leaves the time of the next batch alone",
        q -> q.tiers(TEN).call(9).later(400_000).call(-6).later(600_000).call(0));
    s.add(
        "P10 a bucket that a refund fills begins its intervals anew",
        q ->
            q.tiers(TEN)
                .call(4)
                .later(400_000)
                .call(-4, 4)
                .later(600_000)
                .call(0)
                .later(400_000)
                .call(0));
    s.add(
        "P10 a tier that becomes unused is stored as 0:0",
        q -> q.tiers(TWO).call(6).later(SECOND_US).call(1, -1, 1, -9));
  }

  private static void tiers(SequenceScenarios s) {
    s.add(
        "P4 a call denied by one tier charges none",
        q -> q.tiers(TWO).call(6).later(SECOND_US).call(7, 6, 1));
    s.add(
        "P1 the deciding tier of an allowed call has the fewest remaining, the first of equals",
        q -> q.tiers("10 10 1000000 12 12 1000000 10 10 2000000").call(1, 0, 9));
    s.add(
        "P1 the deciding tier of a denied call has the longest wait, the first of equals",
        q -> q.tiers("10 10 1000000 10 10 60000000 10 10 60000000 10 10 3000000").call(10, 1));
    s.add(
        "P1 never counts as the longest wait",
        q -> q.tiers("10 10 60000000 5 5 1000000 4 4 1000000").call(4, 6, 10, 5));
    s.add(
        "P4 P7 sixteen tiers",
        q -> {
          StringBuilder numbers = new StringBuilder("20 7 3000000");
          for (int tier = 1; tier < 16; tier++) {
            numbers.append(" ").append(20 + tier).append(" ").append(7 + tier);
            numbers.append(" ").append(3_000_000L * (tier + 1));
          }
          return q.tiers(numbers.toString())
              .call(1, 19, 1)
              .laterByWait()
              .later(-1)
              .call(1)
              .later(1)
              .call(1)
              .later(20 * SECOND_US)
              .call(0, -2);
        });
  }

  private static SequenceBuilder twoSettings(SequenceBuilder q) {
    for (int i = 0; i < 6; i++) {
      q.keys("i4.4.1000000").tiers("4 4 1000000").call(1);
      q.keys("i3.3.1000000").tiers("3 3 1000000").call(1);
    }
    return q;
  }
}
