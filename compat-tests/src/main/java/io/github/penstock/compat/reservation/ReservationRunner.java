package io.github.penstock.compat.reservation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays steps on a server, and compares answers, values and times to live of all keys.
 *
 * <p>A key gets a separate time to live before each call, so that a write is detected even if it
 * stores the same value.
 *
 * @param command the whole command that calls a script, as a route sends it
 */
public record ReservationRunner(RespConnection server, CommandForm command) {
  private static final long MARK_MS = 5_000_000_000_000L;
  private static final int COMMANDS = 3;
  private static final String PREPARE =
      """
      for i, key in ipairs(KEYS) do
        local hex, ttl = ARGV[2 * i], ARGV[2 * i + 1]
        if hex == "none" then
          redis.call("DEL", key)
        elseif hex ~= "" then
          redis.call("SET", key, (hex:gsub("%x%x", function(x) return string.char(tonumber(x, 16)) end)))
        end
        redis.call("PEXPIRE", key, ARGV[1])
      end
      return 1
      """;
  private static final String INSPECT =
      """
      local found = {}
      for i, key in ipairs(KEYS) do
        local value = redis.call("GET", key)
        found[2 * i - 1] = value and value:gsub(".", function(c) return string.format("%02x", c:byte()) end) or "none"
        found[2 * i] = redis.call("PTTL", key)
      end
      return found
      """;

  /** Writes down the command that calls a script. */
  @FunctionalInterface
  public interface CommandForm {
    /** The command. */
    String[] of(String script, List<String> keys, List<String> arguments);
  }

  /**
   * Plays steps on keys that are removed before and after them. Where something is wrong they are
   * played once more: a server's clock that steps makes a time to live wrong once, a script twice.
   *
   * @return the error of the first step that violates its expectation; null if all are right
   */
  public @Nullable String play(List<ReservationStep> steps) {
    return once(steps) == null ? null : once(steps);
  }

  private @Nullable String once(List<ReservationStep> steps) {
    String[] keys =
        steps.stream().flatMap(s -> s.keys().stream()).distinct().toArray(String[]::new);
    String[] delete = Stream.concat(Stream.of("DEL"), Stream.of(keys)).toArray(String[]::new);
    long sentNanos = System.nanoTime();
    server.send(delete);
    for (ReservationStep step : steps) {
      server.send(eval(PREPARE, step.keys(), prepared(step)));
      server.send(command.of(step.script(), step.keys(), step.arguments()));
      server.send(eval(INSPECT, step.keys(), List.of()));
    }
    server.send(delete);
    server.flush();
    List<@Nullable Object> answers = new ArrayList<>();
    for (int i = 0; i < steps.size() * COMMANDS + 2; i++) {
      answers.add(server.receive());
    }
    long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentNanos) + 1;
    for (int i = 0; i < steps.size(); i++) {
      int first = 1 + i * COMMANDS;
      String wrong = wrong(steps.get(i), answers.subList(first, first + COMMANDS), elapsedMs);
      if (wrong != null) {
        return "step %d %s: %s".formatted(i + 1, steps.get(i), wrong);
      }
    }
    return null;
  }

  private static String[] eval(String script, List<String> keys, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("EVAL", script, "" + keys.size()));
    command.addAll(keys);
    command.addAll(arguments);
    return command.toArray(String[]::new);
  }

  private static List<String> prepared(ReservationStep step) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(MARK_MS)));
    for (String key : step.keys()) {
      StoredValue before = step.before().get(key);
      arguments.addAll(List.of(before == null ? "" : hex(before), ""));
    }
    return arguments;
  }

  private static String hex(StoredValue value) {
    return switch (value.kind()) {
      case NOTHING, LIST -> "none";
      case BINARY -> String.valueOf(value.text());
      case STRING -> HexFormat.of().formatHex(String.valueOf(value.text()).getBytes(ISO_8859_1));
    };
  }

  private static @Nullable String wrong(
      ReservationStep step, List<@Nullable Object> answers, long elapsedMs) {
    ScriptAnswer answer = ScriptAnswer.of(answers.get(1));
    if (!isExpected(step, answer)) {
      return "answered " + answer;
    }
    List<?> found = (List<?>) Objects.requireNonNull(answers.get(2));
    for (int i = 0; i < step.keys().size(); i++) {
      String key = step.keys().get(i);
      StoredValue expected = Objects.requireNonNull(step.stored().get(key));
      String value = String.valueOf(found.get(2 * i));
      if (!value.equals(hex(expected))) {
        return "stored " + value + " under " + key;
      }
      long ttlMs = step.written().contains(key) ? expected.ttlMs() : MARK_MS;
      long foundMs = (Long) found.get(2 * i + 1);
      if (!value.equals("none") && (foundMs > ttlMs || foundMs < ttlMs - elapsedMs)) {
        return "lives for %d ms, not %d, under %s".formatted(foundMs, ttlMs, key);
      }
    }
    return null;
  }

  private static boolean isExpected(ReservationStep step, ScriptAnswer answer) {
    String error = answer.error();
    if (step.error() == null || error == null) {
      return step.error() == null && error == null && answer.reply().equals(step.reply());
    }
    return step.error().equals(ExpectedOutcome.WRONG_TYPE)
        ? error.contains(step.error())
        : error.startsWith("ERR penstock " + step.script() + ": " + step.error() + " must ");
  }
}
