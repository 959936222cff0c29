package io.github.penstock.compat.vectors;

import io.github.penstock.compat.ScriptAnswer;
import io.github.penstock.compat.ScriptPort;
import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.model.Outcome;
import io.github.penstock.compat.model.Stored;
import io.github.penstock.compat.resp.Commands;
import io.github.penstock.compat.resp.RespError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
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
  private final ScriptPort port;
  private final Commands server;

  /**
   * A runner.
   *
   * @param port calls the scripts
   * @param server sends the commands GET, SET, PTTL, TYPE, RPUSH and DEL, in a cluster to the node
   *     of their first argument
   */
  public VectorRunner(ScriptPort port, Commands server) {
    this.port = port;
    this.server = server;
  }

  /** Replays a sequence; an AssertionError names the first step that goes another way. */
  public void replay(Algorithm script, Sequence sequence) {
    Map<Integer, Integer> shortOf = new HashMap<>();
    Set<Integer> exact = new HashSet<>();
    for (int replays = 0; replays < REPLAYS; replays++) {
      Replay replay = once(script, sequence);
      exact.addAll(replay.exact);
      replay.shorter.forEach(step -> shortOf.merge(step, 1, Integer::sum));
      shortOf.keySet().removeAll(exact);
      if (shortOf.isEmpty()) {
        return;
      }
      shortOf.forEach(
          (step, times) -> {
            if (times >= TOO_OFTEN) {
              throw replay.fault(
                  step, "must live for %d ms, and never did".formatted(replay.ttlMs(step)));
            }
          });
    }
  }

  private Replay once(Algorithm script, Sequence sequence) {
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
    private final Algorithm script;
    private final Sequence sequence;
    private final String prefix = "penstock-vectors:{" + UUID.randomUUID() + "}:";
    private final Map<String, Long> writtenNanos = new HashMap<>();

    /** Steps after which the time to live was just what it must be. */
    private final Set<Integer> exact = new HashSet<>();

    /** Steps that wrote, after which it was 1 ms less, though it was looked at once. */
    private final Set<Integer> shorter = new HashSet<>();

    Replay(Algorithm script, Sequence sequence) {
      this.script = script;
      this.sequence = sequence;
    }

    void step(int index) {
      Step step = sequence.steps().get(index);
      String key = prefix + step.inspectedKey();
      if (step.before() != null) {
        writtenNanos.put(key, System.nanoTime());
        put(key, step.before());
      }
      List<String> keys = step.keys().stream().map(name -> prefix + name).toList();
      long sentNanos = System.nanoTime();
      ScriptAnswer answer = port.call(script.scriptName(), keys, step.arguments());
      if (isWritten(index)) {
        writtenNanos.put(key, sentNanos);
      }
      List<String> faults = new ArrayList<>();
      faults.addAll(answerFaults(step.expected(), answer));
      faults.addAll(storedFaults(index, step.expected().stored(), key));
      if (!faults.isEmpty()) {
        throw fault(index, String.join("; ", faults));
      }
    }

    AssertionError fault(int index, String what) {
      return new AssertionError(
          "%s: \"%s\", step %d %s: %s"
              .formatted(
                  script.scriptName(),
                  sequence.name(),
                  index + 1,
                  sequence.steps().get(index).arguments(),
                  what));
    }

    private boolean isWritten(int index) {
      return sequence.steps().get(index).expected().written();
    }

    long ttlMs(int index) {
      return sequence.steps().get(index).expected().stored().ttlMs();
    }

    private List<String> answerFaults(Outcome expected, ScriptAnswer answer) {
      String argument = expected.error();
      if (argument == null) {
        return answer.error() == null && answer.reply().equals(expected.reply())
            ? List.of()
            : List.of("must answer " + expected.reply() + ", not " + answer);
      }
      String error = answer.error() == null ? "" : answer.error();
      boolean right =
          argument.equals(Outcome.WRONG_TYPE)
              ? error.contains(argument)
              : error.startsWith("ERR penstock " + script.scriptName() + ": " + argument + " ");
      return right ? List.of() : List.of("must be an error on " + argument + ", not " + answer);
    }

    private List<String> storedFaults(int index, Stored expected, String key) {
      Object type = server.call("TYPE", key);
      String wanted =
          switch (expected.kind()) {
            case NOTHING -> "none";
            case STRING -> "string";
            case LIST -> "list";
          };
      if (!wanted.equals(type)) {
        return List.of("must leave " + wanted + " under the key, not " + type);
      }
      if (expected.kind() != Stored.Kind.STRING) {
        return List.of();
      }
      Object text = server.call("GET", key);
      return expected.text().equals(text)
          ? ttlFaults(index, expected.ttlMs(), key)
          : List.of("must store \"" + expected.text() + "\", not \"" + text + "\"");
    }

    private List<String> ttlFaults(int index, long expectedMs, String key) {
      Object answer = server.call("PTTL", key);
      long ttlMs = answer instanceof Long number ? number : Long.MIN_VALUE;
      long elapsedNanos = System.nanoTime() - writtenNanos.getOrDefault(key, 0L);
      long elapsedMs = TimeUnit.NANOSECONDS.toMillis(elapsedNanos) + 1;
      boolean right =
          expectedMs == Stored.ENDLESS
              ? ttlMs == expectedMs
              : ttlMs <= expectedMs && ttlMs > expectedMs - elapsedMs - 1;
      if (ttlMs == expectedMs) {
        exact.add(index);
      } else if (isWritten(index) && elapsedNanos < AT_ONCE_NANOS) {
        shorter.add(index);
      }
      return right
          ? List.of()
          : List.of("must live for " + expectedMs + " ms, not " + answer + " after " + elapsedMs);
    }

    private void put(String key, Stored value) {
      expectNoError(server.call("DEL", key));
      if (value.kind() == Stored.Kind.LIST) {
        expectNoError(server.call("RPUSH", key, "element"));
      } else if (value.text() != null && value.ttlMs() == Stored.ENDLESS) {
        expectNoError(server.call("SET", key, value.text()));
      } else if (value.text() != null) {
        expectNoError(server.call("SET", key, value.text(), "PX", Long.toString(value.ttlMs())));
      }
    }

    private void expectNoError(@Nullable Object answer) {
      if (answer instanceof RespError error) {
        throw new IllegalStateException("the server refuses to prepare a step: " + error.text());
      }
    }

    void removeKeys() {
      sequence.steps().stream()
          .map(step -> prefix + step.inspectedKey())
          .distinct()
          .forEach(key -> server.call("DEL", key));
    }
  }
}
