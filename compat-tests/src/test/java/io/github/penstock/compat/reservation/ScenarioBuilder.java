package io.github.penstock.compat.reservation;

import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.reservation.PackedValues;
import io.github.penstock.testkit.reservation.ReservationModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A sequence of calls, made on the model one by one. Keys are short names of one group. */
final class ScenarioBuilder {
  static final long START_US = 1_763_712_000_000_000L;
  static final long KEEP_US = 60_000_000;

  private final String name;
  private final String group;
  private final ReservationModel model = new ReservationModel();
  private final List<ReservationStep> steps = new ArrayList<>();
  private final Map<String, StoredValue> before = new HashMap<>();
  private long nowUs = START_US;
  private long waitOverUs = START_US;

  ScenarioBuilder(String name) {
    this.name = name;
    this.group = "penstock-vectors:{reservation-" + Integer.toHexString(name.hashCode()) + "}";
  }

  /** An entry: the short name of its key, then its arguments with single spaces. */
  record Entry(String key, String arguments) {}

  static Entry bucket(String key, String mode, long cost) {
    return new Entry(key, mode + " token-bucket " + cost + " 1 100 10 1000000");
  }

  static Entry window(String key, String mode, long cost) {
    return new Entry(key, mode + " fixed-window " + cost + " 1 10 10000000");
  }

  static Entry sliding(String key, String mode, long cost) {
    return new Entry(key, mode + " sliding-window " + cost + " 1 10 10000000");
  }

  static Entry places(String key, long cost) {
    return new Entry(key, "reserve concurrency " + cost + " 1 3");
  }

  ScenarioBuilder at(long sinceStartUs) {
    nowUs = START_US + sinceStartUs;
    return this;
  }

  /** Goes to when the last wait was over that a denial told, or to a little later or earlier. */
  ScenarioBuilder afterWait(long moreUs) {
    ReservationStep last = steps.get(steps.size() - 1);
    if (last.reply().get(0) == 0) {
      waitOverUs = nowUs + last.reply().get(1);
    }
    nowUs = waitOverUs + moreUs;
    return this;
  }

  ScenarioBuilder without(String key) {
    before.put(group + key, StoredValue.NOTHING);
    return this;
  }

  ScenarioBuilder holding(String key, String text) {
    before.put(group + key, StoredValue.string(text, StoredValue.ENDLESS));
    return this;
  }

  /** Puts values of MessagePack under a key: what {@code reserve} may have stored there, or not. */
  ScenarioBuilder packed(String key, Object... values) {
    String hex = PackedValues.hex(List.of(values));
    before.put(group + key, StoredValue.binary(hex, StoredValue.ENDLESS));
    return this;
  }

  /** The whole names of keys. */
  List<String> names(String keys) {
    return Stream.of(keys.split(" ")).map(key -> group + key).toList();
  }

  ScenarioBuilder reserve(String id, Entry... entries) {
    return reserve(KEEP_US, id, entries);
  }

  ScenarioBuilder reserve(long keepUs, String id, Entry... entries) {
    List<String> keys = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("" + keepUs, "" + nowUs));
    for (Entry entry : entries) {
      keys.add(entry.key());
      arguments.addAll(List.of(entry.arguments().split(" ")));
    }
    if (keepUs > 0) {
      keys.add(id);
    }
    return call(ReservationModel.RESERVE, String.join(" ", keys), arguments);
  }

  ScenarioBuilder settle(long keepUs, String keys, String totals) {
    List<String> arguments = new ArrayList<>(List.of("" + keepUs, "" + nowUs));
    arguments.addAll(List.of(totals.split(" ")));
    return call(ReservationModel.SETTLE, keys, arguments);
  }

  /** A call of a script of its own on one key. */
  ScenarioBuilder alone(String script, String key, String arguments) {
    return call(script, key, List.of((arguments + " " + nowUs).split(" ")));
  }

  /** A call with arguments as they are; {@code NOW} is replaced by the time. */
  ScenarioBuilder raw(String script, String keys, String arguments) {
    List<String> given = List.of(arguments.replace("NOW", "" + nowUs).split(" "));
    return call(script, keys, given);
  }

  private ScenarioBuilder call(String script, String keys, List<String> arguments) {
    List<String> names = names(keys);
    Map<String, StoredValue> prepared = new LinkedHashMap<>(before);
    before.clear();
    steps.add(ReservationStep.on(model, prepared, script, names, arguments));
    return this;
  }

  ReservationVectors.Sequence done() {
    return new ReservationVectors.Sequence(name, steps);
  }
}
