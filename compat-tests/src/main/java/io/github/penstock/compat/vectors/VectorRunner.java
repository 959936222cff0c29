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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replays vectors: calls through a port, and looks at the stored value and its time to live through
 * a connection of its own to the same server.
 *
 * <p>A time to live may have gone down by the time that passed since it was written, and by 1 ms. A
 * sequence in which one was too short is replayed until it was seen exactly, so that one that is
 * always 1 ms short is a fault. The keys are new for every replay, share one hash tag, and are
 * removed afterwards. Not safe for use by several threads.
 */
public final class VectorRunner {
  private static final int REPLAYS = 100;
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

  /** Replays a sequence; an AssertionError names the first step that goes another way. */
  public void replay(ScriptAlgorithm script, VectorSequence sequence) {
    replay(script.scriptName(), sequence);
  }

  /** The same of any script, drop-ins included. */
  public void replay(String script, VectorSequence sequence) {
    Map<SeenTtl, Integer> shortOf = new HashMap<>();
    Set<SeenTtl> exact = new HashSet<>();
    for (int replays = 0; replays < REPLAYS; replays++) {
      Replay replay = once(script, sequence);
      exact.addAll(replay.exact);
      replay.shorter.forEach(seen -> shortOf.merge(seen, 1, Integer::sum));
      shortOf.keySet().removeAll(exact);
      if (shortOf.isEmpty()) {
        return;
      }
      shortOf.forEach(
          (seen, times) -> {
            if (times >= TOO_OFTEN) {
              throw replay.fault(
                  seen.step(), "must live for %d ms, and never did".formatted(seen.ttlMs()));
            }
          });
    }
  }

  /** A time to live that was looked at after a step. */
  private record SeenTtl(int step, boolean isSecond, long ttlMs) {}

  private Replay once(String script, VectorSequence sequence) {
    Replay replay = new Replay(script, sequence);
    try {
      for (int step = 0; step < sequence.steps().size(); step++) {
        replay.step(step);
      }
    } finally {
      replay.removeKeys();
    }
    return replay;
  }

  private final class Replay {
    private final String script;
    private final VectorSequence sequence;
    private final String prefix = "penstock-vectors:{" + UUID.randomUUID() + "}:";
    private final Map<String, Long> writtenNanos = new HashMap<>();

    /** Steps after which the time to live was just what it must be. */
    private final Set<SeenTtl> exact = new HashSet<>();

    /** Steps that wrote, after which it was 1 ms less, though it was looked at once. */
    private final Set<SeenTtl> shorter = new HashSet<>();

    Replay(String script, VectorSequence sequence) {
      this.script = script;
      this.sequence = sequence;
    }

    void step(int index) {
      VectorStep step = sequence.steps().get(index);
      String key = prefix + step.inspectedKey();
      SecondKey second = step.second();
      prepare(key, step.before());
      if (second != null) {
        prepare(prefix + second.name(), second.before());
      }
      List<String> keys = step.keys().stream().map(name -> prefix + name).toList();
      long sentNanos = System.nanoTime();
      ScriptAnswer answer = port.call(script, keys, step.arguments());
      if (step.expected().setsTtl()) {
        writtenNanos.put(key, sentNanos);
        if (second != null) {
          writtenNanos.put(prefix + second.name(), sentNanos);
        }
      }
      List<String> faults = new ArrayList<>();
      faults.addAll(answerFaults(step.expected(), answer));
      SeenTtl first = new SeenTtl(index, false, step.expected().stored().ttlMs());
      faults.addAll(storedFaults(first, step.expected().stored(), key));
      if (second != null) {
        SeenTtl other = new SeenTtl(index, true, second.stored().ttlMs());
        faults.addAll(storedFaults(other, second.stored(), prefix + second.name()));
      }
      if (!faults.isEmpty()) {
        throw fault(index, String.join("; ", faults));
      }
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

    private void prepare(String key, @Nullable StoredValue before) {
      if (before != null) {
        writtenNanos.put(key, System.nanoTime());
        put(key, before);
      }
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

    private List<String> storedFaults(SeenTtl seen, StoredValue expected, String key) {
      Object answer = server.call("EVAL", INSPECT, "1", key, expected.kind().name());
      if (!(answer instanceof List<?> found)) {
        throw new IllegalStateException("the server does not tell what is stored: " + answer);
      }
      String wanted =
          switch (expected.kind()) {
            case NOTHING -> "none";
            case STRING, BINARY -> "string";
            case LIST -> "list";
          };
      if (!wanted.equals(found.get(0))) {
        return List.of("must leave " + wanted + " under the key, not " + found.get(0));
      }
      if (expected.text() == null) {
        return List.of();
      }
      return expected.text().equals(found.get(1))
          ? ttlFaults(seen, key, found.get(2))
          : List.of("must store \"" + expected.text() + "\", not \"" + found.get(1) + "\"");
    }

    private List<String> ttlFaults(SeenTtl seen, String key, @Nullable Object answer) {
      long expectedMs = seen.ttlMs();
      long ttlMs = answer instanceof Long number ? number : Long.MIN_VALUE;
      long elapsedNanos = System.nanoTime() - writtenNanos.getOrDefault(key, 0L);
      long elapsedMs = TimeUnit.NANOSECONDS.toMillis(elapsedNanos) + 1;
      boolean right =
          expectedMs == StoredValue.ENDLESS
              ? ttlMs == expectedMs
              : ttlMs <= expectedMs && ttlMs > expectedMs - elapsedMs - 1;
      if (ttlMs == expectedMs) {
        exact.add(seen);
      } else if (sequence.steps().get(seen.step()).expected().setsTtl()
          && elapsedNanos < AT_ONCE_NANOS) {
        shorter.add(seen);
      }
      return right
          ? List.of()
          : List.of("must live for " + expectedMs + " ms, not " + answer + " after " + elapsedMs);
    }

    private void put(String key, StoredValue value) {
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
      Stream<String> keys =
          sequence.steps().stream()
              .flatMap(
                  step ->
                      Stream.concat(
                          Stream.of(step.inspectedKey()),
                          Stream.ofNullable(step.second()).map(SecondKey::name)))
              .distinct()
              .map(name -> prefix + name);
      server.call(Stream.concat(Stream.of("DEL"), keys).toArray(String[]::new));
    }
  }
}
