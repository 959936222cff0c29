package io.github.penstock.compat.vectors;

/**
 * Where a script is easily wrong by one: each sequence tells the scripts from a mutation of theirs
 * that all others let through.
 */
final class ByOneScenarios {
  private ByOneScenarios() {}

  static void addTo(SequenceScenarios s) {
    switch (s.algorithm()) {
      case FIXED_WINDOW -> windows(s);
      case SLIDING_WINDOW -> slidingWindows(s);
      case TOKEN_BUCKET, LEAKY_BUCKET -> {
        bounds(s);
        buckets(s);
        bucketTiers(s);
      }
      case INTERVAL_BUCKET -> intervalBuckets(s);
    }
  }

  private static void bounds(SequenceScenarios s) {
    s.add("P7 the cost counts, whatever the capacity is", q -> q.tiers("1 1 1").call(2));
    s.add(
        "P6 a capacity past its bound is an error, however small the period",
        q -> q.tiers("1000000000001 1 1").call(1));
    s.add("P6 P7 the longest period", q -> q.tiers("10 1 31622400000000").call(1));
    s.add(
        "P6 one unit of 1/period more than 100 years", q -> q.tiers("340406951 1 9270551").call(1));
    s.add(
        "P7 a product of 2^53 - 1 is not reduced, though it could be",
        q -> q.tiers("20394401 12722 441650591").call(1).tiers("20394401 14 883301182").call(1));
  }

  private static void buckets(SequenceScenarios s) {
    String three = "3 1 1000000";
    s.add(
        "P2 a bucket that is exactly full is not cut by a denial",
        q -> q.tiers(three).before("1700000003000000").call(1));
    s.add(
        "P9 a small step back is a cut, too",
        q -> q.tiers(three).before("1700000004000000").call(0, 1));
    s.add(
        "P10 a refund to one tick past nothing",
        q -> q.tiers(three).before("1700000000999999").call(-1));
    s.add(
        "P3 P7 a wait whose excess is past 2^53 on the way",
        q -> q.tiers("198 3 31622399999999").before("3776537599999935").call(198));
  }

  private static void bucketTiers(SequenceScenarios s) {
    String one = "1 1 1 1 1 1";
    String three = "3 1 1000000 3 1 1000000";
    s.add(
        "P9 a cut is written when the wait is 1 us",
        q -> q.tiers(one).before("1700000000000005 0").call(1));
    s.add("P5 P7 two tiers for 1 us", q -> q.tiers(one).call(1));
    s.add(
        "P9 P10 a refund on a tier that is cut, beside an unused one",
        q -> q.tiers(three).before("1700000009000000 0").call(-1));
    s.add(
        "P9 a cost over one limit cuts the other",
        q -> q.tiers("3 1 1000000 5 1 1000000").before("0 1700000009000000").call(4));
    s.add(
        "P9 a cut in the last of two tiers",
        q -> q.tiers(three).before("0 1700000009000000").call(1));
    s.add(
        "P6 a state that is not ours in a later tier, though an earlier one denies",
        q -> q.tiers(three).before("1700000003000000 9999999999999999").call(1));
  }

  private static void windows(SequenceScenarios s) {
    String five = "5 1000000";
    String three = "3 1000000 3 1000000";
    String twoOfFive = "5 1000000 5 1000000";
    s.add("P7 the cost counts, whatever the limit is", q -> q.tiers("1 1000000").call(2));
    s.add(
        "P2 a window that has just opened is not cut by a denial",
        q -> q.tiers(five).before("1700000001000000:5").call(1));
    s.add(
        "P4 a tier that denies decides, though a later one has fewer left",
        q -> q.tiers("10 1000000 4 1000000").before("1700000001000000:8 0:0").call(3));
    s.add(
        "P5 the time to live is the longest that is left, not the longest window",
        q ->
            q.tiers("5 1000000 5 2000000").before("1700000000500000:1 1700000000100000:1").call(1));
    s.add(
        "P9 a cut is written when the wait is 1 us",
        q -> q.tiers("1 1 1 1").before("1700000000000005:1 0:0").call(1));
    s.add(
        "P9 P10 a refund on a tier that is cut, beside an unused one",
        q -> q.tiers("4 1000000 4 1000000").before("1700000009000000:3 0:0").call(-1));
    s.add(
        "P9 a cost over one limit cuts the other",
        q -> q.tiers("3 1000000 5 1000000").before("0:0 1700000009000000:2").call(4));
    s.add(
        "P9 a cut in the last of two tiers",
        q -> q.tiers(three).before("0:0 1700000009000000:3").call(1));
    s.add(
        "P5 P9 a cut shortens the time to live",
        q -> q.tiers(three).before("1700000009000000:3 1700000000500000:1").call(1));
    s.add(
        "P6 a state that is not ours in a later tier, though an earlier one denies",
        q ->
            q.tiers(twoOfFive)
                .before("1700000001000000:5 9999999999999999:1")
                .call(1)
                .before("1700000001000000:5 1700000001000000")
                .call(1));
  }

  private static void slidingWindows(SequenceScenarios s) {
    String five = "5 1000000";
    String twoOfFive = "5 1000000 5 1000000";
    s.add("P7 the cost counts, whatever the limit is", q -> q.tiers("1 1000000").call(2));
    s.add(
        "P2 a window that has just opened is not cut by a denial",
        q -> q.tiers(five).before("1700000001000000:5:5").call(1));
    s.add(
        "P7 at the end of a window it is the older one, and one microsecond before not yet",
        q ->
            q.tiers(five)
                .before("1700000000000001:3:5")
                .call(0, 2)
                .before("1700000000000000:3:5")
                .call(0, 2));
    s.add(
        "P7 a window that is two windows old is gone, and one microsecond before not yet",
        q ->
            q.tiers(five)
                .before("1699999999000001:5:5")
                .call(0, 5)
                .before("1699999999000000:5:5")
                .call(0, 5));
    s.add(
        "P7 what is in sight is rounded up, also when it is whole",
        q ->
            q.tiers(five)
                .before("1700000000400000:0:5")
                .call(3)
                .before("1700000000400001:0:5")
                .call(3)
                .before("1700000000399999:0:5")
                .call(3));
    s.add(
        "P10 a refund that leaves something for 1 us",
        q -> q.tiers(five).before("1700000000000001:1:5").call(-1));
    s.add(
        "P9 a cut is written when the wait is 1 us",
        q -> q.tiers("2 1 2 1").before("1700000000000005:0:2 0:0:0").call(1));
    s.add(
        "P9 P10 a refund on a tier that is cut, beside an unused one",
        q -> q.tiers("4 1000000 4 1000000").before("1700000009000000:3:0 0:0:0").call(-1));
    s.add(
        "P9 a cut in the last of two tiers",
        q -> q.tiers(twoOfFive).before("0:0:0 1700000009000000:5:0").call(1));
    s.add(
        "P6 a state that is not ours in a later tier, though an earlier one denies",
        q ->
            q.tiers(twoOfFive)
                .before("1700000001000000:5:0 9999999999999999:1:0")
                .call(1)
                .before("1700000001000000:5:0 1700000001000000:1")
                .call(1));
  }

  private static void intervalBuckets(SequenceScenarios s) {
    String ten = "10 4 1000000";
    String two = "10 4 1000000 10 4 1000000";
    s.add("P7 the cost counts, whatever the capacity is", q -> q.tiers("1 1 1").call(2));
    s.add(
        "P6 P7 the longest interval, and one that takes 1 us more than 100 years",
        q -> q.tiers("10 1 31622400000000").call(1).tiers("1000000000000 1 3156").call(1));
    s.add(
        "P2 a bucket whose interval has just begun is not cut by a denial",
        q -> q.tiers(ten).before("1700000001000000:10").call(1));
    s.add(
        "P7 a batch comes at its microsecond, and not one before",
        q ->
            q.tiers(ten)
                .before("1700000000000001:10")
                .call(1)
                .before("1700000000000000:10")
                .call(1));
    s.add(
        "P6 as much as the capacity may be missing, and not one more",
        q ->
            q.tiers(ten)
                .before("1700000001000000:11")
                .call(0)
                .before("1700000001000000:10")
                .call(0));
    s.add(
        "P7 a batch that brings just what is missing fills the bucket",
        q ->
            q.tiers(ten).before("1700000000000000:4").call(0).before("1700000000000000:5").call(0));
    s.add(
        "P9 a cut is written when the wait is 1 us",
        q -> q.tiers("1 1 1 1 1 1").before("1700000000000005:1 0:0").call(1));
    s.add(
        "P9 P10 a refund on a tier that is cut, beside an unused one",
        q -> q.tiers(two).before("1700000009000000:3 0:0").call(-1));
    s.add(
        "P9 a cut in the last of two tiers",
        q -> q.tiers(two).before("0:0 1700000009000000:10").call(1));
    s.add(
        "P6 a state that is not ours in a later tier, though an earlier one denies",
        q -> q.tiers(two).before("1700000001000000:10 9999999999999999:1").call(1));
  }
}
