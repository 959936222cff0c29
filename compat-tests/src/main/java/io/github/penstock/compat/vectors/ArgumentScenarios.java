package io.github.penstock.compat.vectors;

import io.github.penstock.compat.model.Algorithm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Every argument in every wrong form, and in every right one. */
final class ArgumentScenarios {
  private static final List<String> NO_INTEGERS =
      List.of(
          "",
          " ",
          "abc",
          "nan",
          "-nan",
          "inf",
          "-inf",
          "infinity",
          "1e300",
          "1e400",
          "-1e400",
          "0.5",
          "1.5",
          "-0.5",
          "1e-1",
          "9007199254740992",
          "9007199254740993",
          "18446744073709551616",
          "1,000",
          "1 000",
          "0x",
          "1e",
          "0b1",
          "10abc",
          "--1",
          "+-1",
          "true",
          "nil",
          "{}",
          "1\u00a0",
          "\uff11",
          "1\r\n:1",
          "%d");
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
  private static final List<String> NO_TIMES =
      List.of(
          "0",
          "1700000000",
          "1700000000000",
          "999999999999999",
          "4503599627370496",
          "1700000000000000000",
          "-1700000000000000");
  private static final List<String> TOO_FEW = List.of("0", "-0", "-1", "-1000000000000");

  private ArgumentScenarios() {}

  static void addTo(Scenarios scenarios) {
    Algorithm algorithm = scenarios.algorithm();
    List<String> valid = valid(algorithm);
    wrong(scenarios, valid, 0, "cost", List.of("1000000000001", "-1000000000001"));
    for (int tier = 0; tier < 2; tier++) {
      for (int i = 0; i < algorithm.tierArguments().size(); i++) {
        String name = algorithm.tierArguments().get(i);
        wrong(
            scenarios, valid, 1 + tier * algorithm.tierArguments().size() + i, name, outside(name));
      }
    }
    wrong(scenarios, valid, valid.size() - 1, "now_us", NO_TIMES);
    counts(scenarios, valid);
    readings(scenarios, valid);
  }

  /** A call with two tiers and the time. */
  private static List<String> valid(Algorithm algorithm) {
    return algorithm == Algorithm.FIXED_WINDOW
        ? List.of("1", "10", "1000000", "100", "60000000", "1700000000000000")
        : List.of("1", "10", "10", "1000000", "100", "100", "60000000", "1700000000000000");
  }

  private static List<String> outside(String name) {
    List<String> values = new ArrayList<>(TOO_FEW);
    values.add(name.endsWith("_us") ? "31622400000001" : "1000000000001");
    return values;
  }

  private static void wrong(
      Scenarios scenarios, List<String> valid, int position, String name, List<String> outside) {
    List<String> values = new ArrayList<>(NO_INTEGERS);
    values.addAll(outside);
    scenarios.add(
        "P6 argument "
            + (position + 1)
            + ", a wrong "
            + name
            + ": an error, and the limit stays in force",
        sequence -> {
          sequence.raw(with(valid, position, values.get(0))).raw(valid);
          values.forEach(value -> sequence.raw(with(valid, position, value)));
          return sequence.raw(valid);
        });
  }

  private static List<String> with(List<String> arguments, int position, String value) {
    List<String> changed = new ArrayList<>(arguments);
    changed.set(position, value);
    return changed;
  }

  private static void counts(Scenarios scenarios, List<String> valid) {
    int width = scenarios.algorithm().tierArguments().size();
    List<String> tier = valid.subList(1, 1 + width);
    List<String> now = valid.subList(valid.size() - 1, valid.size());
    scenarios.add(
        "P6 missing and surplus arguments are errors",
        sequence -> {
          sequence.raw(List.of()).raw(List.of("1")).raw(joined(List.of("1"), now));
          for (int length = 2; length < 1 + width; length++) {
            sequence.raw(valid.subList(0, length));
          }
          if (!scenarios.isWindow()) {
            sequence.raw(joined(valid.subList(0, 1 + width), now, now));
          }
          return sequence
              .raw(tiers(16, tier, now))
              .raw(tiers(17, tier, now))
              .raw(tiers(17, tier, List.of()))
              .raw(tiers(20, tier, now))
              .raw(tiers(300, tier, now));
        });
    scenarios.add(
        "P6 P8 exactly one key, or an error",
        sequence -> sequence.keys().raw(valid).keys("k", "other").raw(valid).keys("k").raw(valid));
  }

  private static List<String> tiers(int count, List<String> tier, List<String> now) {
    List<String> arguments = new ArrayList<>(List.of("1"));
    Collections.nCopies(count, tier).forEach(arguments::addAll);
    arguments.addAll(now);
    return arguments;
  }

  @SafeVarargs
  private static List<String> joined(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      all.addAll(part);
    }
    return all;
  }

  private static void readings(Scenarios scenarios, List<String> valid) {
    int last = valid.size() - 1;
    scenarios.add(
        "P6 P7 whatever Lua reads as an integer is one",
        sequence -> {
          for (int position = 0; position < last; position++) {
            for (String seven : SEVENS) {
              sequence
                  .keys("k" + position)
                  .raw(with(with(valid, position, seven), 0, position == 0 ? seven : "1"));
            }
          }
          sequence.keys("now");
          List.of(
                  "17e14",
                  " 1700000000000001 ",
                  "0x60a24181e4002",
                  "1700000000000003.0",
                  "+1.700000000000004e15")
              .forEach(now -> sequence.raw(with(valid, last, now)));
          return sequence;
        });
    scenarios.add(
        "P2 P6 whatever Lua reads as nothing only looks",
        sequence -> {
          sequence.raw(valid);
          ZEROS.forEach(zero -> sequence.raw(with(valid, 0, zero)));
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
              .raw(joined(big, List.of("1000000000000000")))
              .keys("last")
              .raw(joined(big, List.of("4503599627370495")))
              .raw(
                  joined(
                      List.of("999999999999"),
                      big.subList(1, big.size()),
                      List.of("4503599627370495")))
              .raw(joined(List.of("1e12"), big.subList(1, big.size()), List.of("4503599627370495")))
              .raw(
                  joined(
                      List.of("-1e12"), big.subList(1, big.size()), List.of("4503599627370495")));
        });
  }
}
