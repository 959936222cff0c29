package io.github.penstock.compat.dropin;

import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Every argument in every wrong form, and every key with what is somebody else's. */
final class WrongCallScenarios {
  private static final List<String> NO_NUMBERS =
      List.of(
          "",
          " ",
          "abc",
          "nan",
          "-nan",
          "inf",
          "-inf",
          "infinity",
          "1e400",
          "-1e400",
          "1e300",
          "-1",
          "-0.5",
          "1e15x",
          "1000000000000001",
          "1e16",
          "1,5",
          "1 5",
          "0x",
          "1e",
          "10abc",
          "--1",
          "true",
          "nil",
          "\0",
          "1\n2");
  private static final List<String> NO_INTEGERS = List.of("0.5", "1.5", "1e-1", "2.000001");
  private static final List<String> FOREIGN =
      List.of(
          "", " ", "hello", "nan", "inf", "-1", "1e400", "1e16", "{}", "1 2", "1700000000000000+3");
  private static final List<String> FOREIGN_BYTES =
      List.of(
          "00",
          "0000",
          "ce6553f10000",
          "ce6553f1000001",
          "ce6553f1000090",
          "ce6553f100009100" + "00",
          "ce6553f10000" + "81" + "a161" + "01",
          "ce6553f10000" + "82" + "01" + "01" + "a161" + "01",
          "ce6553f10000" + "91" + "a131",
          "ce6553f10000" + "91" + "c0",
          "ce6553f10000" + "91" + "91" + "01",
          "a131" + "00" + "91" + "01",
          "ce6553f100" + "a131" + "91" + "01",
          "c0" + "00" + "91" + "01",
          "cb7ff0000000000000" + "00" + "91" + "01",
          "cb7ff8000000000000" + "00" + "91" + "01",
          "00" + "cb7ff0000000000000" + "91" + "01",
          "00" + "00" + "91" + "cb7ff0000000000000",
          "ce6553f10000" + "91" + "cb40");

  private final DropInScript script;
  private final List<String> right;
  private final List<VectorSequence> sequences = new ArrayList<>();

  private WrongCallScenarios(DropInScript script) {
    this.script = script;
    this.right = List.of(right(script).split(" "));
  }

  static List<VectorSequence> all(DropInScript script) {
    WrongCallScenarios scenarios = new WrongCallScenarios(script);
    scenarios.arguments();
    scenarios.counts();
    scenarios.foreign();
    return scenarios.sequences;
  }

  private static String right(DropInScript script) {
    return switch (script) {
      case PRORATE_LEAKY_BUCKET -> "1 3 10 1700000000";
      case REDIS_BUCKET -> "3 1 10 2 20 1700000000";
      case RATE_BURST, RATE_BURST_BOOLEAN -> "1 10 1700000000 3";
      case TOKEN_BATCHES -> "10 2 60 1700000000";
      case COUNTER -> "10 60";
    };
  }

  private DropInSequence sequence(String name) {
    return new DropInSequence(script, name);
  }

  private void arguments() {
    boolean fractions = script != DropInScript.TOKEN_BATCHES && script != DropInScript.COUNTER;
    for (int i = 0; i < right.size(); i++) {
      // Empty text there is the server's clock, which no vector can foresee.
      boolean clock = script.scriptName().startsWith("rate-burst") && i == 2;
      List<String> wrong = new ArrayList<>(NO_NUMBERS);
      wrong.addAll(fractions ? List.of() : NO_INTEGERS);
      wrong.addAll(List.of("0", "-0", "0x0"));
      DropInSequence sequence =
          sequence("P1 P6 argument %d in every wrong form, and as 0".formatted(i + 1)).raw(right);
      for (String text : wrong) {
        List<String> arguments = new ArrayList<>(right);
        arguments.set(i, text);
        if (!(clock && text.isEmpty())) {
          sequence.raw(arguments);
        }
      }
      sequences.add(sequence.raw(right).build());
    }
    DropInSequence forms = sequence("P6 numbers in every form that Lua reads");
    for (String form : List.of(" 4 ", "0x4", "4e0", "+4", "4.0", "04", "4\0x")) {
      List<String> arguments = new ArrayList<>(right);
      arguments.set(0, form);
      forms.raw(arguments);
    }
    sequences.add(forms.build());
  }

  private void counts() {
    DropInSequence sequence = sequence("P1 P6 too few arguments, too many, and none").raw(right);
    for (int count = 0; count < right.size(); count++) {
      boolean serverClock =
          (script == DropInScript.PRORATE_LEAKY_BUCKET && count == 3)
              || (script == DropInScript.REDIS_BUCKET && count % 2 == 1 && count > 2);
      if (!serverClock) {
        sequence.raw(right.subList(0, count));
      }
    }
    List<String> surplus = new ArrayList<>(right);
    surplus.addAll(Collections.nCopies(script == DropInScript.REDIS_BUCKET ? 2 : 1, ""));
    sequences.add(sequence.raw(surplus).build());
    DropInSequence keys = sequence("P1 P6 too few keys and too many").keys().raw(right);
    if (script.numberOfKeys() == 2) {
      keys.keys("k").raw(right);
    } else if (script != DropInScript.TOKEN_BATCHES) {
      keys.keys("k", "t").raw(right);
    }
    sequences.add(keys.keys("k", "t", "u").raw(right).build());
    if (DropInModel.secondKey(script, DropInSequence.usualKeys(script)) != null) {
      sequences.add(
          sequence("P1 P6 one key twice")
              .keys("k", "k")
              .raw(right)
              .before(StoredValue.string("5", 777_000_000), null)
              .raw(right)
              .build());
    }
  }

  private void foreign() {
    DropInSequence first = sequence("P1 what is somebody else's is an error and stays");
    boolean second = DropInModel.secondKey(script, DropInSequence.usualKeys(script)) != null;
    StoredValue fitting = second ? StoredValue.string("1700000000", 777_000_000) : null;
    for (String text : FOREIGN) {
      first.before(StoredValue.string(text, 888_000_000), fitting).raw(right);
      first.before(StoredValue.string(text, StoredValue.ENDLESS), fitting).raw(right);
    }
    first.before(StoredValue.LIST, fitting).raw(right);
    if (script == DropInScript.REDIS_BUCKET) {
      FOREIGN_BYTES.forEach(
          hex -> first.before(StoredValue.binary(hex, 888_000_000), null).raw(right));
    }
    if (second) {
      for (String text : FOREIGN) {
        first.before(fitting, StoredValue.string(text, 888_000_000)).raw(right);
        first.before(StoredValue.string(text, 888_000_000), StoredValue.NOTHING).raw(right);
        first.before(StoredValue.NOTHING, StoredValue.string(text, 888_000_000)).raw(right);
      }
      first.before(fitting, StoredValue.LIST).raw(right);
    }
    if (script == DropInScript.TOKEN_BATCHES) {
      first.before(StoredValue.string("1.5", 888_000_000), fitting).raw(right);
      first.before(fitting, StoredValue.string("1.5", 888_000_000)).raw(right);
    }
    if (script == DropInScript.COUNTER) {
      for (String text :
          List.of("05", "+5", "5.0", "-5", "9223372036854775807", "99999999999999999999")) {
        first.before(StoredValue.string(text, 888_000_000), null).raw(right);
      }
    }
    sequences.add(first.build());
  }
}
