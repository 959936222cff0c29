package io.github.penstock.compat.vectors;

/** The fixed window. */
final class WindowScenarios {
  private static final long SECOND_US = 1_000_000;
  private static final String FIVE = "5 1000000";
  private static final String TWO = "5 1000000 8 60000000";

  private WindowScenarios() {}

  static void addTo(SequenceScenarios s) {
    windows(s);
    changedLimits(s);
    clocks(s);
    refunds(s);
    tiers(s);
  }

  private static void windows(SequenceScenarios s) {
    s.add(
        "P7 exactly full, one over, and the cost over the limit", q -> q.tiers(FIVE).call(5, 1, 6));
    s.add("P7 five single units, then none", q -> q.tiers(FIVE).call(1, 1, 1, 1, 1, 1, 0));
    s.add(
        "P2 P7 a cost over the limit on an unused key writes nothing",
        q -> q.tiers(FIVE).call(6, 0));
    s.add(
        "P7 a window opens with the first charge after the last one ended",
        q ->
            q.tiers(FIVE)
                .call(3)
                .later(999_999)
                .call(2, 1)
                .later(1)
                .call(1)
                .later(250_000)
                .call(4, 1)
                .laterByWait()
                .call(5));
    s.add(
        "P3 exactly the wait is enough and one less is not",
        q -> q.tiers("5 999999").call(3, 3).laterByWait().later(-1).call(3).later(1).call(3, 3));
    s.add(
        "P3 exactly the longest wait is enough and one less is not",
        q ->
            q.tiers(TWO)
                .call(5)
                .later(400_000)
                .call(4)
                .laterByWait()
                .later(-1)
                .call(4)
                .later(1)
                .call(4));
    s.add("P7 a limit of one", q -> q.tiers("1 1000000").call(1, 1).laterByWait().call(1));
    s.add("P5 P7 a window of one microsecond", q -> q.tiers("1 1").call(1, 1).later(1).call(1));
    s.add(
        "P7 the most units in the longest window",
        q -> q.tiers("1000000000000 31622400000000").call(1, 999_999_999_999L, 1, -1, 1, 1));
    s.add(
        "P1 P7 reset is when nothing is used any more",
        q -> q.tiers(FIVE).call(4).laterByReset().later(-1).call(0).later(1).call(0));
    s.add(
        "P2 a peek opens no window",
        q -> q.tiers(FIVE).call(0).later(500_000).call(2).later(600_000).call(0, 3));
  }

  private static void changedLimits(SequenceScenarios s) {
    s.add(
        "P7 a limit that was lowered keeps its count, and nothing remains",
        q ->
            q.tiers(FIVE)
                .call(4)
                .tiers("3 1000000")
                .call(0, 1, 4)
                .tiers("4 1000000")
                .call(0, 1)
                .tiers("9 1000000")
                .call(5, 1));
    s.add(
        "P7 P10 a refund under a lowered limit",
        q ->
            q.tiers("9 1000000")
                .call(9)
                .tiers("5 1000000")
                .call(-2, -3, 1, 1)
                .laterByWait()
                .call(5));
    s.add(
        "P9 a window that was shortened is cut",
        q -> q.tiers("5 60000000").call(5).tiers(FIVE).call(0, 1).later(SECOND_US).call(5));
  }

  private static void clocks(SequenceScenarios s) {
    s.add(
        "P9 the clock steps back by less than a window: cut, and the count stays",
        q -> q.tiers(FIVE).call(3).later(-300_000).call(0, 3, 2).later(SECOND_US).call(1));
    s.add(
        "P9 the clock steps back far: the cut is written even on a denial",
        q -> q.tiers(FIVE).call(5).later(-10 * SECOND_US).call(1).later(SECOND_US).call(5));
    s.add(
        "P2 P9 a peek after a step back sees the cut and does not write it",
        q -> q.tiers(FIVE).call(5).later(-10 * SECOND_US).call(0).later(10 * SECOND_US).call(0));
    s.add(
        "P9 a cost over the limit also writes the cut",
        q -> q.tiers(FIVE).call(5).later(-10 * SECOND_US).call(6));
    s.add(
        "P9 P10 a refund after a step back writes the cut",
        q -> q.tiers(FIVE).call(5).later(-10 * SECOND_US).call(-2));
    s.add(
        "P4 P9 a cut in one of three tiers writes all three, uncharged",
        q ->
            q.tiers("5 1000000 5 60000000 5 1000000")
                .before("1700000000500000:2 1700009999000000:5 0:0")
                .call(1, 0)
                .before("1600000000500000:2 1799999999999999:5 1700000000000001:1")
                .call(1));
    s.add(
        "P9 the clock steps forward: at most one more window",
        q ->
            q.tiers(FIVE)
                .call(5, 1)
                .later(31_622_400 * SECOND_US)
                .call(5, 1)
                .later(-31_622_400 * SECOND_US)
                .call(1));
  }

  private static void refunds(SequenceScenarios s) {
    s.add("P10 part of what was used, then all of it", q -> q.tiers(FIVE).call(4, -3, -1, -1));
    s.add(
        "P10 more than was used, and more than the limit",
        q -> q.tiers(FIVE).call(4, -5).call(3, -6).call(3, -1_000_000_000_000L));
    s.add("P10 a refund creates no key", q -> q.tiers(FIVE).call(-1, -5, -1_000_000_000_000L, 0));
    s.add(
        "P10 a refund leaves the window's end alone",
        q -> q.tiers(FIVE).call(4).later(400_000).call(-2, 3).laterByWait().call(5));
    s.add(
        "P10 a window with nothing left in it is closed",
        q -> q.tiers(FIVE).call(4).later(400_000).call(-4, 2).later(600_000).call(3, 1));
    s.add(
        "P10 a tier that becomes unused is stored as 0:0",
        q -> q.tiers(TWO).call(3).later(SECOND_US).call(1, -1, 1, -9));
  }

  private static void tiers(SequenceScenarios s) {
    s.add(
        "P4 a call denied by one tier charges none",
        q -> q.tiers(TWO).call(5).later(SECOND_US).call(4, 3, 1));
    WindowTierScenarios.addTo(s, "w");
  }
}
