package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what a call of a script takes on the server: the time that the server itself counts,
 * over {@value #KEYS} keys, {@value #AT_ONCE} calls sent at once, the best of them in several
 * interleaved rounds. So few take so little time that nothing disturbs the best. Not safe for use
 * by several threads.
 */
final class ScriptBench {
  static final int KEYS = 1_000;
  static final int AT_ONCE = 200;
  private final Target target;
  private final RespConnection connection;

  ScriptBench(Target target, RespConnection connection) {
    this.target = target;
    this.connection = connection;
  }

  /** The best time of each case. */
  List<ScriptCost> measure(List<ScriptCase> cases, int rounds) {
    Map<ScriptCase, Double> best = new LinkedHashMap<>();
    for (ScriptCase what : cases) {
      load(what);
      callAll(what, 1);
    }
    for (int round = 0; round < rounds; round++) {
      for (int from = 0; from < KEYS; from += AT_ONCE) {
        for (ScriptCase what : cases) {
          best.merge(what, micros(what, from), Math::min);
        }
      }
    }
    List<ScriptCost> costs = new ArrayList<>();
    best.forEach(
        (what, micros) ->
            costs.add(
                new ScriptCost(what.what(), what.form(), what.tiers(), what.allowed(), micros)));
    return costs;
  }

  private void load(ScriptCase what) {
    expect(connection.call(what.load().toArray(String[]::new)));
  }

  private double micros(ScriptCase what, int from) {
    ServerStats before = ServerStats.read(connection);
    callSome(what, from, what.allowed() ? 1 : 0);
    ServerStats used = ServerStats.read(connection).since(before);
    return used.commandMicros(Integer.MAX_VALUE) / AT_ONCE;
  }

  private void callAll(ScriptCase what, long expected) {
    for (int from = 0; from < KEYS; from += AT_ONCE) {
      callSome(what, from, expected);
    }
  }

  private void callSome(ScriptCase what, int from, long expected) {
    CleanStop.check();
    for (int i = from; i < from + AT_ONCE; i++) {
      connection.send(what.command(key(what, i)));
    }
    for (int i = from; i < from + AT_ONCE; i++) {
      check(what, connection.receive(), expected);
    }
  }

  private static void check(ScriptCase what, Object reply, long expected) {
    expect(reply);
    if (!what.isFloor() && (!(reply instanceof List<?> six) || !six.get(0).equals(expected))) {
      throw new IllegalStateException(what + " answered " + reply);
    }
  }

  private static void expect(Object reply) {
    if (reply instanceof RespError error) {
      throw new IllegalStateException("the server answered " + error.text());
    }
  }

  private String key(ScriptCase what, int number) {
    return String.format(Locale.ROOT, "%s:%s:{user:%05d}", target.prefix(), what.keyName(), number);
  }
}
