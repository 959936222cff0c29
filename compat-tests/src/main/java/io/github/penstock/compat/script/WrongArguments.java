package io.github.penstock.compat.script;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.List;

/** Arguments of one tier with one thing wrong. */
public final class WrongArguments {
  private static final List<String> NO_INTEGERS =
      List.of("nan", "inf", "-inf", "1e300", "0.5", "", "ten", "9007199254740992");

  private static final List<String> NOT_SEVERAL =
      List.of("0*5", "5*0", "5*", "*5", "-1*5", "1.0*5", "1 * 5", "2*500000000001");

  private WrongArguments() {}

  public static List<List<String>> of(ScriptAlgorithm algorithm, String tier) {
    List<String> right = new ArrayList<>(List.of("1"));
    right.addAll(List.of(tier.split(" ")));
    right.add(Long.toString(TimedKey.START_US));
    List<List<String>> wrong = new ArrayList<>();
    for (int place = 0; place < right.size(); place++) {
      for (String text : NO_INTEGERS) {
        wrong.add(with(right, place, text));
      }
    }
    NOT_SEVERAL.forEach(text -> wrong.add(with(right, 0, text)));
    for (int place = 1; place < right.size(); place++) {
      wrong.add(with(right, place, "0"));
      wrong.add(with(right, place, "-1"));
    }
    wrong.add(right.subList(0, 1));
    wrong.add(right.subList(0, algorithm.tierArguments().size()));
    List<String> surplus = new ArrayList<>(right);
    surplus.add(right.get(right.size() - 1));
    wrong.add(surplus);
    return wrong;
  }

  private static List<String> with(List<String> arguments, int place, String text) {
    List<String> changed = new ArrayList<>(arguments);
    changed.set(place, text);
    return List.copyOf(changed);
  }
}
