package io.github.penstock.core.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.core.internal.node.NodeVerdict.Action;
import io.github.penstock.core.internal.node.NodeVerdict.Todo;
import io.github.penstock.core.spi.ServerError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays {@code verdict.json}: rule F2, on a moved clock. */
class NodeVerdictTest {
  private static final double MILLI = 1e6;
  private static final String FIRST_NODE = "a";
  private static final Map<LateVerdict, String> WORDS =
      Map.of(
          LateVerdict.OVERLOADED, "up",
          LateVerdict.OUTAGE, "silent",
          LateVerdict.REFUSED, "refused");

  static Stream<Arguments> scenarios() throws IOException {
    JsonObject file =
        new Gson()
            .fromJson(Files.readString(Path.of("../lua/vectors/verdict.json")), JsonObject.class);
    return StreamSupport.stream(file.getAsJsonArray("scenarios").spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .map(scenario -> Arguments.of(scenario.get("name").getAsString(), scenario));
  }

  @Test
  @DisplayName("F2.1 only the first connection to a node waits")
  void spread() {
    NodeVerdict verdict = new NodeVerdict(() -> 1, () -> 1);
    verdict.answered(verdict.begin(0, nanos(50), null), nanos(1), LateVerdict.OVERLOADED);
    assertThat(connections(verdict)).isEmpty();
    verdict.advance(nanos(3_000));
    assertThat(connections(verdict)).containsExactly(Action.CONNECT);
    verdict.connected(1, nanos(3_001));
    verdict.written(1, nanos(3_001));
    verdict.replied(1, nanos(3_002), LateVerdict.OVERLOADED);
    verdict.advance(nanos(70_000));
    assertThat(connections(verdict)).containsExactly(Action.DROP);
    // Without calls for a minute: the next one connects at once, so that it learns of an outage.
    verdict.begin(nanos(80_000), nanos(80_050), null);
    assertThat(connections(verdict)).containsExactly(Action.CONNECT);
  }

  private static List<Action> connections(NodeVerdict verdict) {
    return Stream.generate(verdict::next)
        .takeWhile(Objects::nonNull)
        .map(Todo::action)
        .filter(action -> action == Action.CONNECT || action == Action.DROP)
        .toList();
  }

  private static long nanos(double millis) {
    return Math.round(millis * MILLI);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void f2(String name, JsonObject scenario) {
    List<Map<String, Object>> expected = new ArrayList<>();
    for (JsonElement each : scenario.getAsJsonArray("out")) {
      Map<String, Object> line = new LinkedHashMap<>();
      each.getAsJsonObject()
          .entrySet()
          .forEach(
              field ->
                  line.put(
                      field.getKey(),
                      field.getValue().getAsJsonPrimitive().isNumber()
                          ? (Object) field.getValue().getAsDouble()
                          : field.getValue().getAsString()));
      expected.add(line);
    }
    Play play = new Play(scenario);
    assertThat(play.out(expected.size())).containsExactlyElementsOf(expected);
    if (scenario.has("says")) {
      assertThat(play.says).hasToString(scenario.get("says").toString());
    }
  }

  /** One scenario. */
  private static final class Play {
    private final Deque<JsonObject> steps = new ArrayDeque<>();
    private final Set<Long> writtenByHand = new HashSet<>();
    private final Map<String, PlayedNode> nodes = new LinkedHashMap<>();
    private final List<Map<String, Object>> out = new ArrayList<>();
    private final JsonArray says = new JsonArray();
    private final boolean comparesDrops;
    private double standsUntil = Double.NEGATIVE_INFINITY;

    Play(JsonObject scenario) {
      comparesDrops = scenario.get("out").toString().contains("\"drop\"");
      scenario.getAsJsonArray("in").forEach(step -> steps.add(step.getAsJsonObject()));
      JsonArray byHand = scenario.getAsJsonArray("byhand");
      if (byHand != null) {
        byHand.forEach(question -> writtenByHand.add(question.getAsLong()));
      }
    }

    /* The actions until so many are there and no step is left; later ones are not compared. */
    List<Map<String, Object>> out(int most) {
      while (out.size() < most || !steps.isEmpty()) {
        double due =
            nodes.values().stream()
                .mapToDouble(PlayedNode::dueMillis)
                .min()
                .orElse(Double.MAX_VALUE);
        JsonObject next = steps.peek();
        double at = Math.min(due, next == null ? Double.MAX_VALUE : at(next));
        assertThat(at).as("something happens after %s", out).isLessThan(Double.MAX_VALUE);
        double now = Math.max(standsUntil, at);
        nodes.values().forEach(node -> node.advance(now));
        while (!steps.isEmpty() && at(steps.peek()) <= now) {
          step(steps.poll(), now);
        }
        nodes.values().forEach(node -> node.turn(now));
      }
      return out.subList(0, most);
    }

    private static double at(JsonObject step) {
      return step.get("at_ms").getAsDouble();
    }

    private void step(JsonObject step, double now) {
      if (step.has("stands_still_until_ms")) {
        standsUntil = step.get("stands_still_until_ms").getAsDouble();
        return;
      }
      String name = step.has("node") ? step.get("node").getAsString() : FIRST_NODE;
      if (step.has("forks")) {
        nodes.remove(name);
        return;
      }
      nodes.computeIfAbsent(name, made -> new PlayedNode(name)).step(step, now);
    }

    /** One node. */
    private final class PlayedNode {
      private final String name;
      private final NodeVerdict verdict = new NodeVerdict(() -> 0, () -> 1);
      private final Map<String, TimedCall> calls = new HashMap<>();
      private boolean turning;
      private LateVerdict told = LateVerdict.OVERLOADED;

      PlayedNode(String name) {
        this.name = name;
      }

      double dueMillis() {
        long next = verdict.nextNanos();
        return next == Long.MAX_VALUE ? Double.MAX_VALUE : next / MILLI;
      }

      void advance(double now) {
        verdict.advance(nanos(now));
        perform(now);
      }

      void turn(double now) {
        if (turning) {
          turning = false;
          verdict.turned(nanos(now));
          perform(now);
        }
      }

      void step(JsonObject step, double now) {
        if (step.has("begins")) {
          long deadline = nanos(now + step.get("deadline_ms").getAsDouble());
          String on = step.has("on") ? step.get("on").getAsString() : null;
          List<TimedCall> crowd = step.has("crowded") ? crowd(nanos(now)) : List.of();
          TimedCall call = verdict.begin(nanos(now), deadline, on);
          crowd.forEach(verdict::leave);
          call.waiter = () -> {};
          calls.put(step.get("begins").getAsString(), call);
          if (call.verdict != null) {
            noteEnd(now, call);
          }
        } else if (step.has("answered")) {
          verdict.answered(
              calls.get(step.get("answered").getAsString()), nanos(now), meaning(step));
        } else if (step.has("cancels")) {
          verdict.leave(calls.get(step.get("cancels").getAsString()));
        } else if (step.has("opens")) {
          assertThat(verdict.opens()).as(step.toString()).isEqualTo(step.get("may").getAsBoolean());
        } else if (step.has("connected")) {
          verdict.connected(step.get("connected").getAsLong(), nanos(now));
        } else if (step.has("refused")) {
          String kind = step.get("kind").getAsString();
          boolean unreachable = kind.equals("ECONNREFUSED");
          boolean beside =
              verdict.refused(
                  step.get("refused").getAsLong(),
                  nanos(now),
                  unreachable || kind.equals("maxclients")
                      ? LateVerdict.OUTAGE
                      : LateVerdict.REFUSED,
                  unreachable);
          if (beside) {
            say(now);
          }
        } else if (step.has("cut")) {
          verdict.cut(step.get("cut").getAsLong(), nanos(now));
        } else if (step.has("written")) {
          verdict.written(step.get("written").getAsLong(), nanos(now));
        } else {
          verdict.replied(step.get("reply").getAsLong(), nanos(now), meaning(step));
        }
        perform(now);
      }

      private LateVerdict meaning(JsonObject step) {
        String kind = step.has("kind") ? step.get("kind").getAsString() : "ok";
        return kind.equals("ok")
            ? LateVerdict.OVERLOADED
            : LateVerdict.of(ServerError.of(kind + " as the server says"));
      }

      private void say(double now) {
        told = verdict.state();
        JsonArray said = new JsonArray();
        said.add(Math.round(now));
        said.add(WORDS.get(told));
        says.add(said);
      }

      private void perform(double now) {
        if (verdict.state() != told) {
          say(now);
        }
        for (Todo todo = verdict.next(); todo != null; todo = verdict.next()) {
          switch (todo.action()) {
            case CONNECT -> note(now, "connect", (double) todo.number());
            case ASK -> {
              note(now, "ask", (double) todo.number(), "on", (double) todo.on());
              if (!writtenByHand.contains(todo.number())) {
                verdict.written(todo.number(), nanos(now));
              }
            }
            case TURN -> turning = true;
            case CLOSE -> note(now, "close", String.valueOf(todo.thing()));
            case END -> {
              if (todo.thing() instanceof TimedCall ended) {
                noteEnd(now, ended);
              }
            }
            case DROP -> {
              if (comparesDrops) {
                note(now, "drop", (double) todo.number());
              }
            }
          }
        }
      }

      private List<TimedCall> crowd(long now) {
        return Stream.generate(() -> verdict.begin(now, Long.MAX_VALUE, null))
            .limit(ClientNumbers.CALLS_IN_FLIGHT)
            .toList();
      }

      private void noteEnd(double now, TimedCall ended) {
        note(now, "end", nameOf(ended), "outcome", String.valueOf(ended.verdict));
      }

      private String nameOf(TimedCall ended) {
        return calls.entrySet().stream()
            .filter(call -> call.getValue() == ended)
            .findFirst()
            .orElseThrow()
            .getKey();
      }

      private void note(double now, Object... fields) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at_ms", now);
        if (!name.equals(FIRST_NODE)) {
          line.put("node", name);
        }
        for (int i = 0; i < fields.length; i += 2) {
          line.put((String) fields[i], fields[i + 1]);
        }
        out.add(line);
      }
    }
  }
}
