package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.resp.CommandSender;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replays vectors: calls through a port, and reads the stored value and its time to live through a
 * separate connection to the same server.
 *
 * <p>A time to live may have gone down by the time that passed since it was written, and be wrong
 * once if the server's clock stepped; where this machine stalls, the key may have died. Such a step
 * is played again from the state before it, so that one that is always 1 ms short is a fault. The
 * keys are new for every sequence, share one hash tag, and are removed afterwards. Not safe for use
 * by several threads.
 */
public final class VectorRunner {
  private static final int TOO_OFTEN = 25;
  private static final long AT_ONCE_NANOS = 500_000;

  /**
   * The type of a key and, of a string, its text and its time to live: one round trip, and bytes as
   * hexadecimal digits for connections that know only text.
   */
  private static final String INSPECT =
      """
      local type = redis.call('TYPE', KEYS[1]).ok
      if type ~= 'string' then return {type} end
      local text = redis.call('GET', KEYS[1])
      if ARGV[1] == 'BINARY' then
        text = string.gsub(text, '.', function(c) return string.format('%02x', string.byte(c)) end)
      end
      return {type, text, redis.call('PTTL', KEYS[1])}
      """;

  private static final String SET_HEX =
      """
      redis.call('SET', KEYS[1], (string.gsub(ARGV[1], '..',
        function(h) return string.char(tonumber(h, 16)) end)))
      if ARGV[2] ~= '-1' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
      """;

  private final ScriptClient port;
  private final CommandSender server;

  /**
   * A runner.
   *
   * @param port calls the scripts
   * @param server sends the commands EVAL, SET, RPUSH and DEL, in a cluster to the node of their
   *     first key; EVAL calls TYPE, GET, PTTL, SET and PEXPIRE
   */
  public VectorRunner(ScriptClient port, CommandSender server) {
    this.port = port;
    this.server = server;
  }

  /** Replays a sequence; an AssertionError names the first step with another outcome. */
  public void replay(ScriptAlgorithm script, VectorSequence sequence) {
    replay(script.scriptName(), sequence);
  }

  /** The variant for any script, drop-ins included. */
  public void replay(String script, VectorSequence sequence) {
    Replay replay = new Replay(script, sequence);
    try {
      for (int step = 0; step < sequence.steps().size(); step++) {
        replay.step(step);
      }
    } finally {
      replay.removeKeys();
    }
  }

  private final class Replay {
    private final String script;
    private final VectorSequence sequence;
    private final String prefix = "penstock-vectors:{" + UUID.randomUUID() + "}:";

    /** The value under each key, by its short name. */
    private final Map<String, StoredValue> states = new HashMap<>();

    /** Since when it has its time to live. */
    private final Map<String, Long> writtenNanos = new HashMap<>();

    Replay(String script, VectorSequence sequence) {
      this.script = script;
      this.sequence = sequence;
    }

    void step(int index) {
      VectorStep step = sequence.steps().get(index);
      put(step.inspectedKey(), step.before());
      SecondKey second = step.second();
      if (second != null) {
        put(second.name(), second.before());
      }
      Map<String, StoredValue> before = Map.copyOf(states);
      List<String> doubts = doubtsAfter(index, step);
      for (int times = 1; !doubts.isEmpty(); times++) {
        if (times == TOO_OFTEN) {
          throw fault(index, String.join("; ", doubts) + ", as in all " + times + " attempts");
        }
        after(step)
            .keySet()
            .forEach(name -> put(name, before.getOrDefault(name, StoredValue.NOTHING)));
        doubts = doubtsAfter(index, step);
      }
    }

    /** The values under the keys of a step after it. */
    private Map<String, StoredValue> after(VectorStep step) {
      StoredValue stored = step.expected().stored();
      SecondKey second = step.second();
      return second == null
          ? Map.of(step.inspectedKey(), stored)
          : Map.of(step.inspectedKey(), stored, second.name(), second.stored());
    }

    /** Makes the call; returns the error of a time to live, which may be right next time. */
    private List<String> doubtsAfter(int index, VectorStep step) {
      List<String> keys = step.keys().stream().map(name -> prefix + name).toList();
      long sentNanos = System.nanoTime();
      ScriptAnswer answer = port.call(script, keys, step.arguments());
      List<String> doubts = new ArrayList<>();
      after(step).keySet().stream()
          .filter(this::mayHaveDied)
          .forEach(name -> doubts.add("%s may have died before the call".formatted(name)));
      if (!doubts.isEmpty()) {
        return doubts;
      }
      List<String> faults = new ArrayList<>(answerFaults(step.expected(), answer));
      for (Map.Entry<String, StoredValue> stored : after(step).entrySet()) {
        states.put(stored.getKey(), stored.getValue());
        if (step.expected().setsTtl()) {
          writtenNanos.put(stored.getKey(), sentNanos);
        }
        boolean exact = step.expected().setsTtl();
        compare(stored.getKey(), stored.getValue(), exact, faults, doubts);
      }
      if (!faults.isEmpty()) {
        throw fault(index, String.join("; ", faults));
      }
      return doubts;
    }

    AssertionError fault(int index, String what) {
      return new AssertionError(
          "%s: \"%s\", step %d %s: %s"
              .formatted(
                  script,
                  sequence.name(),
                  index + 1,
                  sequence.steps().get(index).arguments(),
                  what));
    }

    private List<String> answerFaults(VectorOutcome expected, ScriptAnswer answer) {
      String argument = expected.error();
      if (argument == null) {
        return answer.error() == null && Objects.equals(answer.value(), expected.reply())
            ? List.of()
            : List.of("must answer " + expected.reply() + ", not " + answer);
      }
      String error = answer.error() == null ? "" : answer.error();
      boolean right =
          argument.equals(ExpectedOutcome.WRONG_TYPE)
              ? error.contains(argument)
              : error.startsWith("ERR penstock " + script + ": " + argument + " ");
      return right ? List.of() : List.of("must be an error on " + argument + ", not " + answer);
    }

    /** A time to live must be seen exactly only where it was written just now. */
    private void compare(
        String name,
        StoredValue expected,
        boolean exactAtOnce,
        List<String> faults,
        List<String> doubts) {
      List<?> found = inspect(name, expected.kind());
      String type =
          switch (expected.kind()) {
            case NOTHING -> "none";
            case STRING, BINARY -> "string";
            case LIST -> "list";
          };
      if (!type.equals(found.get(0))) {
        List<String> wrong = found.get(0).equals("none") && mayHaveDied(name) ? doubts : faults;
        wrong.add("must leave " + type + " under the key, not " + found.get(0));
        return;
      }
      if (expected.text() == null) {
        return;
      }
      if (!expected.text().equals(found.get(1))) {
        faults.add("must store \"" + expected.text() + "\", not \"" + found.get(1) + "\"");
        return;
      }
      long ttlMs = Long.parseLong(String.valueOf(found.get(2)));
      long elapsedNanos = System.nanoTime() - writtenNanos.getOrDefault(name, 0L);
      boolean exact = exactAtOnce && elapsedNanos < AT_ONCE_NANOS;
      long elapsedMs = exact ? 0 : TimeUnit.NANOSECONDS.toMillis(elapsedNanos) + 1;
      boolean endless = expected.ttlMs() == StoredValue.ENDLESS;
      if (ttlMs > expected.ttlMs() || (!endless && ttlMs < expected.ttlMs() - elapsedMs)) {
        doubts.add(
            "must live for %d ms, not %d after %d".formatted(expected.ttlMs(), ttlMs, elapsedMs));
      }
    }

    private boolean mayHaveDied(String name) {
      long ttlMs = states.getOrDefault(name, StoredValue.NOTHING).ttlMs();
      return ttlMs != StoredValue.ENDLESS
          && System.nanoTime() - writtenNanos.getOrDefault(name, 0L)
              >= TimeUnit.MILLISECONDS.toNanos(ttlMs);
    }

    private List<?> inspect(String name, StoredValue.Kind kind) {
      Object answer = server.call("EVAL", INSPECT, "1", prefix + name, kind.name());
      if (answer instanceof List<?> found) {
        return found;
      }
      throw new IllegalStateException("the server does not tell what is stored: " + answer);
    }

    private void put(String name, @Nullable StoredValue value) {
      if (value == null) {
        return;
      }
      states.put(name, value);
      writtenNanos.put(name, System.nanoTime());
      String key = prefix + name;
      String text = String.valueOf(value.text());
      String ttlMs = Long.toString(value.ttlMs());
      switch (value.kind()) {
        case NOTHING -> change("DEL", key);
        case LIST -> {
          change("DEL", key);
          change("RPUSH", key, "element");
        }
        case BINARY -> change("EVAL", SET_HEX, "1", key, text, ttlMs);
        case STRING -> {
          if (value.ttlMs() == StoredValue.ENDLESS) {
            change("SET", key, text);
          } else {
            change("SET", key, text, "PX", ttlMs);
          }
        }
      }
    }

    private void change(String... command) {
      if (server.call(command) instanceof RespError error) {
        throw new IllegalStateException("the server refuses to prepare a step: " + error.text());
      }
    }

    void removeKeys() {
      Stream<String> keys = states.keySet().stream().map(name -> prefix + name);
      server.call(Stream.concat(Stream.of("DEL"), keys).toArray(String[]::new));
    }
  }
}
