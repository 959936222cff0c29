package io.github.penstock.compat.vectors;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** As many calls as fit, in every algorithm. */
final class SeveralCallsScenarios {
  private static final long SECOND_US = 1_000_000;

  private final SequenceScenarios scenarios;
  private final String ten;

  private SeveralCallsScenarios(SequenceScenarios scenarios) {
    this.scenarios = scenarios;
    ten = tier(10, SECOND_US);
  }

  static void addTo(SequenceScenarios scenarios) {
    SeveralCallsScenarios several = new SeveralCallsScenarios(scenarios);
    several.oneTier();
    several.severalTiers();
    several.states();
  }

  private String tier(long limit, long lengthUs) {
    return scenarios.algorithm().tier(limit, lengthUs).stream()
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  private String tiers(String... tiers) {
    return Stream.of(tiers).collect(Collectors.joining(" "));
  }

  private void oneTier() {
    scenarios.add(
        "P7 all of several calls fit, then some, then none",
        q -> q.tiers(ten).costs("3*2", "1*64", "1*64", "1*1", "0"));
    scenarios.add(
        "P7 calls that cost more than one unit leave a rest",
        q -> q.tiers(ten).costs("4*64", "3*2", "2*1", "1*2"));
    scenarios.add(
        "P1 P7 one of several calls is answered as the call itself",
        q -> q.tiers(ten).costs("4*1", "4", "4*1", "4", "2*1"));
    scenarios.add(
        "P1 P7 several calls each over the limit are never allowed, and write nothing",
        q -> q.tiers(ten).costs("11*2", "11*1", "1000000*1000000", "0"));
    scenarios.add(
        "P1 P7 several calls of which the sum is over the limit are charged one by one",
        q -> q.tiers(ten).costs("10*2", "1*1000000000000"));
    scenarios.add(
        "P3 exactly the wait is enough for one of several calls and one less is not",
        q ->
            q.tiers(ten)
                .call(10)
                .later(100_000)
                .costs("3*5")
                .laterByWait()
                .later(-1)
                .costs("3*5")
                .later(1)
                .costs("3*5"));
    scenarios.add(
        "P3 P7 some of several calls fit, 1 us before all of them do",
        q ->
            q.tiers(ten)
                .call(5)
                .later(99_999)
                .costs("3*2")
                .keys("end")
                .call(5)
                .later(SECOND_US - 1)
                .costs("3*2")
                .keys("fading")
                .call(10)
                .later(SECOND_US + 599_999)
                .costs("3*2"));
    scenarios.add(
        "P7 several calls at uneven times",
        q -> {
          q.tiers(tier(7, 3 * SECOND_US)).call(1);
          for (int i = 0; i < 24; i++) {
            q.later(91_373L * (i % 7)).costs(1 + i % 3 + "*" + (1 + i % 5));
          }
          return q;
        });
  }

  private void severalTiers() {
    String eight = tier(8, 60 * SECOND_US);
    String seven = tier(7, 3_600 * SECOND_US);
    scenarios.add(
        "P4 P7 the same number of calls is charged on all tiers",
        q ->
            q.tiers(tiers(ten, eight))
                .costs("3*5", "1*5", "1*5")
                .later(2 * SECOND_US)
                .costs("1*2"));
    scenarios.add(
        "P4 P7 the tier with room for the fewest calls comes first, last or between",
        q ->
            q.keys("first")
                .tiers(tiers(seven, eight, ten))
                .costs("2*9", "1*9")
                .keys("last")
                .tiers(tiers(ten, eight, seven))
                .costs("2*9", "1*9")
                .keys("between")
                .tiers(tiers(eight, seven, ten))
                .costs("2*9", "1*9"));
    scenarios.add(
        "P1 P7 of several calls that all fit the tier with the fewest remaining answers",
        q -> q.tiers(tiers(ten, seven, eight)).costs("2*3", "1*1", "1*1"));
    scenarios.add(
        "P1 P7 of several calls that are denied the tier with the longest wait answers",
        q -> q.tiers(tiers(tier(3, SECOND_US), eight)).costs("2*9").later(10).costs("3*9", "9*2"));
    scenarios.add(
        "P4 P7 one tier has room for no call, another one for many",
        q -> q.tiers(tiers(seven, ten)).call(7).later(2 * SECOND_US).costs("1*5", "0"));
  }

  private void states() {
    scenarios.add(
        "P9 some of several calls fit after the clock stepped back",
        q -> q.tiers(ten).call(4).later(-10 * SECOND_US).costs("1*20", "0"));
    scenarios.add(
        "P9 none of several calls fits after the clock stepped back, and the cut is written",
        q ->
            q.tiers(tiers(ten, tier(8, 60 * SECOND_US)))
                .call(8)
                .later(-100 * SECOND_US)
                .costs("9*20", "0")
                .later(-100 * SECOND_US)
                .costs("3*20", "0"));
    scenarios.add(
        "P6 a value that is not ours is an error for several calls, too",
        q -> q.tiers(ten).before("17").costs("1*2", "11*2"));
    scenarios.add(
        "P2 P7 several calls that are denied leave value and time to live alone",
        q -> q.tiers(ten).call(9).costs("2*2", "2*2", "11*1"));
    if (scenarios.isWindow()) {
      scenarios.add(
          "P7 no call fits under a limit that was lowered",
          q -> q.tiers(ten).call(9).tiers(tier(5, SECOND_US)).costs("1*3", "6*2"));
    }
  }
}
