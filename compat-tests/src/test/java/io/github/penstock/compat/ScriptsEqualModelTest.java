package io.github.penstock.compat;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.CallPlan.Expectation;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Random sequences of calls: script against model, reply for reply and state for state, in every
 * form on every server.
 */
class ScriptsEqualModelTest {
  /** Given to a key before every call, so that a write is seen even if it stores the same value. */
  private static final long MARK_MS = 5_000_000_000_000L;

  private static final int COMMANDS_PER_STEP = 4;

  @Provide
  Arbitrary<CallPlan> plans() {
    return CallPlans.plans();
  }

  @Property
  @Label("P1 P2 P4 P5 P7 P9 P10 P11 the scripts do what the model does")
  void scriptsEqualModel(@ForAll("plans") CallPlan plan) {
    String name = "penstock-plans:{" + UUID.randomUUID() + "}";
    List<Expectation> expectations = plan.expectations(name);
    List<ScriptRoute> routes = ScriptRoute.all();
    List<Long> sentNanos = new ArrayList<>();
    for (int route = 0; route < routes.size(); route++) {
      sentNanos.add(System.nanoTime());
      sendAll(routes.get(route), plan, name + route, expectations);
    }
    for (int route = 0; route < routes.size(); route++) {
      compareAll(routes.get(route), plan, name + route, expectations, sentNanos.get(route));
    }
  }

  /* The servers work beside each other and beside this. */
  private static void sendAll(
      ScriptRoute route, CallPlan plan, String key, List<Expectation> expectations) {
    expectations.forEach(expectation -> send(route, plan, key, expectation));
    route.connection().send("DEL", key);
    route.connection().flush();
  }

  private static void compareAll(
      ScriptRoute route,
      CallPlan plan,
      String key,
      List<Expectation> expectations,
      long sentNanos) {
    List<@Nullable Object> answers = receive(route, expectations.size() * COMMANDS_PER_STEP + 1);
    long elapsedMs = elapsedMs(sentNanos);
    for (int i = 0; i < expectations.size(); i++) {
      int first = i * COMMANDS_PER_STEP;
      Expectation expected = expectations.get(i);
      List<@Nullable Object> ofStep = answers.subList(first, first + COMMANDS_PER_STEP);
      String where = route + ", step " + (i + 1);
      compare(where, expected, ofStep);
      if (!livesAsExpected(expected, ofStep, elapsedMs)) {
        compareAlone(where, route, plan, key, expected);
      }
    }
  }

  /**
   * A server's clock that stepped between a write and the check of it makes a time to live wrong
   * once; a script that is wrong makes it wrong again.
   */
  private static void compareAlone(
      String where, ScriptRoute route, CallPlan plan, String key, Expectation expected) {
    long sentNanos = System.nanoTime();
    send(route, plan, key, expected.alone());
    route.connection().send("DEL", key);
    route.connection().flush();
    List<@Nullable Object> answers = receive(route, COMMANDS_PER_STEP + 1);
    compare(where, expected, answers);
    assertThat(livesAsExpected(expected, answers, elapsedMs(sentNanos)))
        .as(() -> where + " " + expected + ", answered " + answers + ": the time to live, twice")
        .isTrue();
  }

  private static List<@Nullable Object> receive(ScriptRoute route, int count) {
    List<@Nullable Object> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(route.connection().receive());
    }
    return answers;
  }

  private static long elapsedMs(long sentNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentNanos) + 1;
  }

  private static void send(ScriptRoute route, CallPlan plan, String key, Expectation expectation) {
    RespConnection connection = route.connection();
    String mark = Long.toString(MARK_MS);
    if (expectation.put()) {
      connection.send("SET", key, String.valueOf(expectation.before().text()), "PX", mark);
    } else {
      connection.send("PEXPIRE", key, mark);
    }
    String script = plan.algorithm().scriptName();
    connection.send(route.form().command(script, List.of(key), expectation.arguments()));
    connection.send("GET", key);
    connection.send("PTTL", key);
  }

  /** Where both a tier and the state are wrong, either may be named. */
  private static String named(String argument) {
    boolean either = argument.equals("capacity") || argument.equals("state");
    return "ERR penstock \\S+: (" + (either ? "capacity|state" : argument) + ") must .*";
  }

  private static void compare(String where, Expectation expected, List<@Nullable Object> answers) {
    Supplier<String> description =
        () ->
            "%s %s on %s, answered %s"
                .formatted(where, expected.arguments(), expected.before(), answers);
    ExpectedOutcome outcome = expected.outcome();
    ScriptAnswer answer = ScriptAnswer.of(answers.get(1));
    assertThat(answer.reply()).as(description).isEqualTo(outcome.reply());
    if (outcome.error() != null) {
      assertThat(answer.error()).as(description).matches(named(outcome.error()));
    }
    assertThat(answers.get(2)).as(description).isEqualTo(outcome.stored().text());
  }

  private static boolean livesAsExpected(
      Expectation expected, List<@Nullable Object> answers, long elapsedMs) {
    ExpectedOutcome outcome = expected.outcome();
    if (outcome.stored().kind() != StoredValue.Kind.STRING) {
      return true;
    }
    long ttlMs = outcome.written() ? outcome.stored().ttlMs() : MARK_MS;
    long foundMs = (long) requireNonNull(answers.get(3));
    return foundMs <= ttlMs && foundMs >= ttlMs - elapsedMs;
  }
}
