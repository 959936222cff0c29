package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Every argument in every wrong form. */
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
  private static final List<String> NO_TIMES =
      List.of(
          "0",
          "1700000000",
          "1700000000000",
          "999999999999999",
          "4503599627370496",
          "1700000000000000000",
          "-1700000000000000");
  private static final List<String> NO_COSTS =
      List.of(
          "1000000000001",
          "-1000000000001",
          "*",
          "5*",
          "*5",
          "0*5",
          "5*0",
          "05*5",
          "5*05",
          "-1*5",
          "5*-1",
          "+5*5",
          "5 * 5",
          "5*5 ",
          " 5*5",
          "5*5*5",
          "5**5",
          "5x5",
          "5.0*5",
          "1e1*5",
          "0x5*5",
          "5*5\0",
          "inf*5",
          "nan*nan",
          "1*1000000000001",
          "1000000000001*1",
          "1000001*1000000",
          "500000000001*2",
          "9007199254740993*9007199254740993",
          "1*" + "9".repeat(400));
  private static final List<String> TOO_FEW = List.of("0", "-0", "-1", "-1000000000000");

  private ArgumentScenarios() {}

  static void addTo(SequenceScenarios scenarios) {
    ScriptAlgorithm algorithm = scenarios.algorithm();
    List<String> valid = valid(algorithm);
    wrong(scenarios, valid, 0, "cost", NO_COSTS);
    for (int tier = 0; tier < 2; tier++) {
      for (int i = 0; i < algorithm.tierArguments().size(); i++) {
        String name = algorithm.tierArguments().get(i);
        wrong(
            scenarios, valid, 1 + tier * algorithm.tierArguments().size() + i, name, outside(name));
      }
    }
    wrong(scenarios, valid, valid.size() - 1, "now_us", NO_TIMES);
    counts(scenarios, valid);
    ReadingScenarios.addTo(scenarios, valid);
  }

  /** A call with two tiers and the time. */
  private static List<String> valid(ScriptAlgorithm algorithm) {
    List<String> valid = new ArrayList<>(List.of("1"));
    algorithm.tier(10, 1_000_000).forEach(number -> valid.add(Long.toString(number)));
    algorithm.tier(100, 60_000_000).forEach(number -> valid.add(Long.toString(number)));
    valid.add("1700000000000000");
    return List.copyOf(valid);
  }

  private static List<String> outside(String name) {
    List<String> values = new ArrayList<>(TOO_FEW);
    values.add(name.endsWith("_us") ? "31622400000001" : "1000000000001");
    return values;
  }

  private static void wrong(
      SequenceScenarios scenarios,
      List<String> valid,
      int position,
      String name,
      List<String> outside) {
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

  static List<String> with(List<String> arguments, int position, String value) {
    List<String> changed = new ArrayList<>(arguments);
    changed.set(position, value);
    return changed;
  }

  private static void counts(SequenceScenarios scenarios, List<String> valid) {
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
  static List<String> joined(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      all.addAll(part);
    }
    return all;
  }
}
