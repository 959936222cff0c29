package io.github.penstock.compat.vectors;

import java.util.List;

/** Both buckets, which admit the same calls. */
final class BucketScenarios {
  private static final long SECOND_US = 1_000_000;
  private static final String TEN = "10 10 1000000";
  private static final String SEVEN_PER_THREE = "7 7 3000000";
  private static final String TWO = "10 10 1000000 12 12 60000000";

  private BucketScenarios() {}

  static void addTo(SequenceScenarios s) {
    exactness(s);
    waits(s);
    BucketEdgeScenarios.addTo(s);
    refunds(s);
    tiers(s);
    s.add("P13 two settings have two keys and admit the sum of both", BucketScenarios::twoSettings);
  }

  private static void exactness(SequenceScenarios s) {
    s.add(
        "P7 exactly full, one over, and the cost over the capacity",
        q -> q.tiers(TEN).call(10, 1, 11));
    s.add(
        "P7 ten single units, then none",
        q -> q.tiers(TEN).call(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0));
    s.add(
        "P2 P7 a cost over the capacity on an unused key writes nothing",
        q -> q.tiers(TEN).call(11, 0));
    s.add(
        "P7 seven per three seconds, at uneven times, never drifts",
        q -> {
          q.tiers(SEVEN_PER_THREE);
          for (int i = 0; i < 40; i++) {
            q.later(91_373L * (i % 7)).call(1 + i % 3);
          }
          return q;
        });
    s.add(
        "P7 three per seven microseconds, peeked at every microsecond",
        q -> {
          q.tiers("5 3 7").call(5);
          for (int i = 0; i < 12; i++) {
            q.later(1).call(0, 1);
          }
          return q;
        });
    s.add(
        "P7 a thousand billion units per period, one at a time",
        q -> q.tiers("9007 1000000000000 1000000000000").call(1, 1, 9005, 1).later(1).call(1, 0));
    s.add(
        "P7 a capacity of one",
        q -> q.tiers("1 1 1000000").call(1, 1).later(999_999).call(1).later(1).call(1));
    s.add(
        "P7 a period of one microsecond",
        q -> q.tiers("3 1 1").call(3, 1).later(1).call(1).later(3).call(3));
  }

  private static void waits(SequenceScenarios s) {
    for (String tier :
        List.of(TEN, SEVEN_PER_THREE, "5 3 7", "100 11 86400000000", "10 9 1000000 50 7 3000000")) {
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
    s.add(
        "P1 P7 reset is when nothing is used any more",
        q -> q.tiers(SEVEN_PER_THREE).call(5).laterByReset().later(-1).call(0).later(1).call(0));
  }

  private static void refunds(SequenceScenarios s) {
    s.add("P10 part of what was used, then all of it", q -> q.tiers(TEN).call(7, -3, -4, -1));
    s.add(
        "P10 more than was used, and more than the capacity",
        q -> q.tiers(TEN).call(7, -8).call(3, -10).call(3, -11).call(3, -1_000_000_000_000L));
    s.add("P10 a refund creates no key", q -> q.tiers(TEN).call(-1, -10, -1_000_000_000_000L, 0));
    s.add(
        "P10 a refund between two units",
        q -> q.tiers(SEVEN_PER_THREE).call(5).later(100_000).call(-2).later(1).call(-2, -2));
    s.add(
        "P10 a tier that becomes unused is stored as 0",
        q -> q.tiers(TWO).call(6).later(400_000).call(-3, 1, -9));
    s.add(
        "P10 a refund to one tick before nothing",
        q -> q.tiers("7 7 3000000").before("1700000000428571+4").call(-1));
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
        q ->
            q.tiers("10 10 60000000 5 5 1000000 4 4 1000000")
                .call(4, 6, 10, 5)
                .tiers("10 10 60000000 20 5 1000000 10 4 1000000")
                .keys("o")
                .call(11));
    s.add(
        "P1 a tier with a longer wait than an earlier one that denies",
        q -> q.tiers("3 3 1000000 3 3 5000000 3 3 2000000").call(3).later(100_000).call(1, 2, 3));
    s.add(
        "P4 P7 sixteen tiers",
        q -> {
          StringBuilder numbers = new StringBuilder("20 7 3000000");
          for (int tier = 1; tier < 16; tier++) {
            numbers
                .append(" ")
                .append(20 + tier)
                .append(" ")
                .append(7 + tier)
                .append(" ")
                .append(3_000_000L * (tier + 1));
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
    s.add(
        "P7 the backlog is the longest of all tiers, whichever is named",
        q ->
            q.tiers("3 3 1000000 10 1 1000000")
                .call(1, 1, 0, 1, 1, 0)
                .later(500_000)
                .call(0, 1, -1));
    s.add(
        "P7 a burst, then a steady flow",
        q -> {
          q.tiers("5 2 1000000").call(1, 1, 1, 1, 1, 1);
          for (int i = 0; i < 6; i++) {
            q.later(300_000).call(1);
          }
          return q;
        });
  }

  private static SequenceBuilder twoSettings(SequenceBuilder q) {
    for (int i = 0; i < 6; i++) {
      q.keys("b4.4.1000000")
          .tiers("4 4 1000000")
          .call(1)
          .keys("b3.3.1000000")
          .tiers("3 3 1000000")
          .call(1);
    }
    return q;
  }
}
