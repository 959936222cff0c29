package io.github.penstock.compat.vectors;

import java.util.List;

/** Every argument in every form that Lua reads as an integer. */
final class ReadingScenarios {
  private static final List<String> SEVENS =
      List.of(
          "7",
          " 7 ",
          "\t7\n",
          "+7",
          "007",
          "7.",
          "7.0",
          ".7e1",
          "70e-1",
          "0.0007e4",
          "7E0",
          "0x7",
          "0X07",
          "0x7.0",
          "0xep-1",
          "7\0abc",
          "7.00000000000000000001");
  private static final List<String> ZEROS =
      List.of("0", "-0", "0.0", "-0e9", "0x0", "00", "1e-400");

  private ReadingScenarios() {}

  static void addTo(SequenceScenarios scenarios, List<String> valid) {
    int last = valid.size() - 1;
    scenarios.add(
        "P6 P7 whatever Lua reads as an integer is one",
        sequence -> {
          for (int position = 0; position < last; position++) {
            for (String seven : SEVENS) {
              sequence
                  .keys("k" + position)
                  .raw(
                      ArgumentScenarios.with(
                          ArgumentScenarios.with(valid, position, seven),
                          0,
                          position == 0 ? seven : "1"));
            }
          }
          sequence.keys("now");
          List.of(
                  "17e14",
                  " 1700000000000001 ",
                  "0x60a24181e4002",
                  "1700000000000003.0",
                  "+1.700000000000004e15")
              .forEach(now -> sequence.raw(ArgumentScenarios.with(valid, last, now)));
          return sequence;
        });
    scenarios.add(
        "P2 P6 whatever Lua reads as nothing only peeks",
        sequence -> {
          sequence.raw(valid);
          ZEROS.forEach(zero -> sequence.raw(ArgumentScenarios.with(valid, 0, zero)));
          return sequence;
        });
    scenarios.add(
        "P6 the largest numbers of every argument, and the first and the last time",
        sequence -> {
          List<String> big =
              scenarios.isWindow()
                  ? List.of("1", "1e12", "31622400000000")
                  : List.of("1", "1e12", "1e12", "9007");
          return sequence
              .keys("first")
              .raw(ArgumentScenarios.joined(big, List.of("1000000000000000")))
              .keys("last")
              .raw(ArgumentScenarios.joined(big, List.of("4503599627370495")))
              .raw(
                  ArgumentScenarios.joined(
                      List.of("999999999999"),
                      big.subList(1, big.size()),
                      List.of("4503599627370495")))
              .raw(
                  ArgumentScenarios.joined(
                      List.of("1e12"), big.subList(1, big.size()), List.of("4503599627370495")))
              .raw(
                  ArgumentScenarios.joined(
                      List.of("-1e12"), big.subList(1, big.size()), List.of("4503599627370495")));
        });
  }
}
