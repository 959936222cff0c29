package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.scripts.ReservationScript;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A call under several limits, or its equivalent without one. Limits are token buckets of one tier.
 */
public enum ReservationCase {
  ONE_NATIVE("one charge by its own script", 1, 1),
  ONE_THROUGH("one charge through reserve, no id", 1, 1),
  ONE_WITH_ID("one charge through reserve, with id", 1, 1),
  THREE_NATIVE("three charges by three scripts", 3, 3),
  THREE_WITH_ID("three charges in one reserve", 3, 1),
  THREE_HELD("two held, and a place, in one reserve", 3, 1),
  SETTLED("settle of these", 3, 1);

  private static final String KEEP_US = "60000000";
  private static final LimitEncoding BUCKET =
      LimitEncoding.of(PenstockAlgorithm.TOKEN_BUCKET.generous(1));
  private final String title;
  private final int keys;
  private final int scripts;

  ReservationCase(String title, int keys, int scripts) {
    this.title = title;
    this.keys = keys;
    this.scripts = scripts;
  }

  public String title() {
    return title;
  }

  /** How many keys a subject has, the receipt not among them. */
  public int keys() {
    return keys;
  }

  /** How many scripts the server runs for it. */
  public int scripts() {
    return scripts;
  }

  /** The base of its ratio: the same number of charges, each by its own script. */
  public ReservationCase floor() {
    return keys == 1 ? ONE_NATIVE : THREE_NATIVE;
  }

  /** The case with the same subjects: a settlement uses those of the hold. */
  public ReservationCase subjects() {
    return this == SETTLED ? THREE_HELD : this;
  }

  /**
   * The words after EVALSHA, once for each script.
   *
   * @param subject a name that its keys begin with
   * @param receipt the key of its receipt, if it has one
   */
  public List<List<String>> calls(String subject, String receipt) {
    List<String> names = IntStream.range(0, keys).mapToObj(i -> subject + ":" + i).toList();
    return switch (this) {
      case ONE_NATIVE, THREE_NATIVE -> names.stream().map(ReservationCase::charged).toList();
      case ONE_THROUGH -> List.of(call(ReservationScript.RESERVE, names, List.of("0", "0"), 0));
      case ONE_WITH_ID, THREE_WITH_ID ->
          List.of(call(ReservationScript.RESERVE, with(names, receipt), List.of(KEEP_US, "0"), 0));
      case THREE_HELD ->
          List.of(call(ReservationScript.RESERVE, with(names, receipt), List.of(KEEP_US, "0"), 2));
      case SETTLED -> {
        List<String> call = head(ReservationScript.SETTLE.sha1(), with(names, receipt));
        call.addAll(List.of("0", "0", "1", "1", "0"));
        yield List.of(call);
      }
    };
  }

  /* Its first entries are held, and then its last is a place; where none is held, all charge. */
  private List<String> call(
      ReservationScript script, List<String> names, List<String> times, int held) {
    List<String> call = head(script.sha1(), names);
    call.addAll(times);
    for (int i = 0; i < keys; i++) {
      if (held > 0 && i >= held) {
        call.addAll(List.of("reserve", "concurrency", "1", "1", "1000000000000"));
      } else {
        call.addAll(List.of(held > 0 ? "reserve" : "charge", "token-bucket", "1", "1"));
        call.addAll(BUCKET.arguments());
      }
    }
    return call;
  }

  private static List<String> charged(String key) {
    List<String> call = head(BUCKET.script().sha1(), List.of(key));
    call.add("1");
    call.addAll(BUCKET.arguments());
    return call;
  }

  private static List<String> head(String sha1, List<String> keys) {
    List<String> call = new ArrayList<>(List.of(sha1, Integer.toString(keys.size())));
    call.addAll(keys);
    return call;
  }

  private static List<String> with(List<String> names, String receipt) {
    List<String> all = new ArrayList<>(names);
    all.add(receipt);
    return all;
  }
}
