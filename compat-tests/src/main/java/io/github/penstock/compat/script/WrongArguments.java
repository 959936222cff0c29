package io.github.penstock.compat.script;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.LuaScript.TierNumber;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Arguments of one tier with one thing wrong. */
public final class WrongArguments {
  private static final List<String> NO_INTEGERS =
      List.of("nan", "inf", "-inf", "1e300", "0.5", "", "ten", "9007199254740992");

  private static final List<String> NEVER_POSITIVE =
      Stream.concat(NO_INTEGERS.stream(), Stream.of("0", "-1")).toList();

  private static final List<String> NOT_SEVERAL =
      List.of("0*5", "5*0", "5*", "*5", "-1*5", "1.0*5", "1 * 5", "2*500000000001");

  private WrongArguments() {}

  /** The arguments, each with the name that the refusal must say. */
  public static Map<List<String>, String> of(ScriptAlgorithm algorithm, String tier) {
    List<String> right = new ArrayList<>(List.of("1"));
    right.addAll(List.of(tier.split(" ")));
    right.add(Long.toString(TimedKey.START_US));
    List<TierNumber> numbers = LuaScript.valueOf(algorithm.name()).tier();
    List<String> names = new ArrayList<>(List.of("cost"));
    numbers.forEach(number -> names.add(number.name()));
    names.add("now_us");
    Map<List<String>, String> wrong = new LinkedHashMap<>();
    for (int place = 0; place < right.size(); place++) {
      for (String text : place == 0 ? NO_INTEGERS : NEVER_POSITIVE) {
        wrong.put(with(right, place, text), names.get(place));
      }
    }
    NOT_SEVERAL.forEach(text -> wrong.put(with(right, 0, text), "cost"));
    for (int at = 0; at < numbers.size(); at++) {
      TierNumber number = numbers.get(at);
      wrong.put(with(right, at + 1, Long.toString(number.least() - 1)), number.name());
      wrong.put(with(right, at + 1, Long.toString(number.most() + 1)), number.name());
    }
    wrong.put(right.subList(0, 1), "tier");
    wrong.put(right.subList(0, numbers.size()), "tier");
    List<String> surplus = new ArrayList<>(right);
    surplus.add(right.get(right.size() - 1));
    // Of two numbers, the surplus makes a second tier, and a time is not a limit.
    wrong.put(surplus, numbers.size() == 2 ? numbers.get(0).name() : "tier");
    return wrong;
  }

  private static List<String> with(List<String> arguments, int place, String text) {
    List<String> changed = new ArrayList<>(arguments);
    changed.set(place, text);
    return List.copyOf(changed);
  }
}
