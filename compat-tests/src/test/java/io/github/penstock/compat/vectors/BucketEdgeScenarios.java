package io.github.penstock.compat.vectors;

/** Both buckets where numbers end to be exact, and where the clock jumps. */
final class BucketEdgeScenarios {
  private static final long SECOND_US = 1_000_000;
  private static final String TEN = "10 10 1000000";
  private static final String SEVEN_PER_THREE = "7 7 3000000";

  private BucketEdgeScenarios() {}

  static void addTo(SequenceScenarios s) {
    bigNumbers(s);
    clocks(s);
  }

  private static void bigNumbers(SequenceScenarios s) {
    s.add(
        "P7 a product of 2^53 - 1 is exact",
        q ->
            q.tiers("441650591 7 20394401")
                .call(1, 441_650_590, 1)
                .laterByWait()
                .later(-1)
                .call(1)
                .later(1)
                .call(1)
                .laterByReset()
                .call(0));
    s.add(
        "P6 a product of 2^53 that cannot be reduced is an error",
        q -> q.tiers("8192 7 1099511627776").call(1, 0, -1));
    s.add(
        "P6 P7 a product of 2^53 that can be reduced",
        q -> q.tiers("8192 6 1099511627776").call(1, 8191, 1, -1));
    s.add(
        "P7 the remainder counts in the reduced rate",
        q ->
            q.tiers("1000000000000 1000000000000 1000000")
                .call(1, 1, 999_999_999_998L, 1)
                .laterByWait()
                .call(1));
    s.add(
        "P6 a remainder of the rate as given is not ours where the rate is reduced",
        q ->
            q.tiers("1000000000000 1000000000000 1000000")
                .before("1700000000000001+1000000")
                .call(1)
                .before("1700000000000001+999999")
                .call(1));
    s.add(
        "P6 a bucket of exactly 100 years, and of more",
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
                .tiers("200 2 31557600000001")
                .call(1)
                .tiers("200 2 31557600000000")
                .call(1));
    s.add(
        "P6 the wrong tier is an error wherever it stands, and even if another denies",
        q ->
            q.tiers(TEN + " 8192 7 1099511627776")
                .call(1, 11)
                .tiers("8192 7 1099511627776 " + TEN)
                .call(1)
                .tiers(TEN + " 101 1 31557600000000")
                .call(11, 0));
  }

  private static void clocks(SequenceScenarios s) {
    s.add(
        "P9 the clock steps back by less than a bucket",
        q -> q.tiers(TEN).call(5).later(-300_000).call(0, 1, 2, 3).later(300_000).call(1));
    s.add(
        "P9 the clock steps back far: cut to full, and the cut is written even on a denial",
        q -> q.tiers(TEN).call(5).later(-10 * SECOND_US).call(0, 1).later(SECOND_US).call(10, 1));
    s.add(
        "P2 P9 a peek after a step back sees the cut and does not write it",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(0).later(10 * SECOND_US).call(0));
    s.add(
        "P9 a cost over the capacity also writes the cut",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(11));
    s.add(
        "P9 P10 a refund after a step back starts from full",
        q -> q.tiers(TEN).call(10).later(-10 * SECOND_US).call(-3));
    s.add(
        "P4 P9 a cut in one of three tiers writes all three, uncharged",
        q ->
            q.tiers("10 10 1000000 1000 1 1000000 5 7 3000000")
                .before("1700000000400000 1700009999000000 0")
                .call(1000)
                .before("1700000000400000 1799999999999999 1700000000000001+6")
                .call(1, 0)
                .before("1600000000400000 1799999999999999 1600000000000001+6")
                .call(1));
    s.add(
        "P9 a cut to a full that has a remainder",
        q ->
            q.tiers(SEVEN_PER_THREE + " 5 3 7")
                .before("1700000099999999+6 1700000099999999+2")
                .call(1, 0));
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
}
