package io.github.penstock.compat.vectors;

/** Several tiers, and two settings, of a fixed and of a sliding window. */
final class WindowTierScenarios {
  private static final long SECOND_US = 1_000_000;

  private WindowTierScenarios() {}

  /**
   * Adds them.
   *
   * @param marker the letter of the script's keys
   */
  static void addTo(SequenceScenarios s, String marker) {
    s.add(
        "P1 the deciding tier of an allowed call has the fewest remaining, the first of equals",
        q -> q.tiers("10 1000000 12 1000000 10 2000000").call(1, 0, 9));
    s.add(
        "P1 the deciding tier of a denied call has the longest wait, the first of equals",
        q -> q.tiers("10 1000000 10 60000000 10 60000000 10 3000000").call(10, 1));
    s.add(
        "P1 never counts as the longest wait",
        q -> q.tiers("10 60000000 5 1000000 4 1000000").call(4, 6, 10, 5));
    s.add(
        "P1 a tier with a longer wait than an earlier one that denies",
        q -> q.tiers("3 1000000 3 5000000 3 2000000").call(3).later(100_000).call(1, 2, 3));
    s.add(
        "P4 P7 sixteen tiers",
        q -> {
          StringBuilder numbers = new StringBuilder("20 3000000");
          for (int tier = 1; tier < 16; tier++) {
            numbers.append(" ").append(20 + tier).append(" ").append(3_000_000L * (tier + 1));
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
    s.add("P13 two settings have two keys and admit the sum of both", q -> twoSettings(q, marker));
  }

  private static SequenceBuilder twoSettings(SequenceBuilder q, String marker) {
    for (int i = 0; i < 6; i++) {
      q.keys(marker + "1000000")
          .tiers("4 1000000")
          .call(1)
          .keys(marker + "2000000")
          .tiers("3 2000000")
          .call(1);
    }
    return q;
  }
}
