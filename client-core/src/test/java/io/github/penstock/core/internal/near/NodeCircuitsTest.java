package io.github.penstock.core.internal.near;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.spi.time.SteppedTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeCircuitsTest {
  private static final Duration LENGTH = Duration.ofSeconds(1);
  private static final String NODE = "127.0.0.1:7000";
  private final SteppedTime time = new SteppedTime();
  private final NodeCircuits circuits = new NodeCircuits(LENGTH, time);

  static List<Arguments> sequences() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/circuit.json"));
    return JsonParser.parseString(json)
        .getAsJsonObject()
        .getAsJsonArray("sequences")
        .asList()
        .stream()
        .map(JsonElement::getAsJsonObject)
        .map(sequence -> Arguments.of(sequence.get("name").getAsString(), sequence))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sequences")
  void published(String name, JsonObject sequence) {
    long begin = time.nanos();
    NodeCircuits published = new NodeCircuits(micros(sequence, "length_us"), time);
    for (JsonElement each : sequence.getAsJsonArray("steps")) {
      JsonObject step = each.getAsJsonObject();
      time.pass(micros(step, "at_us").minusNanos(time.nanos() - begin));
      if (step.has("lost")) {
        for (int i = step.get("lost").getAsInt(); i > 0; i--) {
          published.unanswered(NODE);
        }
      } else if (step.has("answered")) {
        for (int i = step.get("answered").getAsInt(); i > 0; i--) {
          published.answered(NODE);
        }
      } else if (step.has("sends")) {
        for (JsonElement sends : step.getAsJsonArray("sends")) {
          assertThat(published.maySend(NODE)).as("%s", step).isEqualTo(sends.getAsBoolean());
        }
      } else {
        assertThat(published.isOpen(NODE))
            .as("%s", step)
            .isEqualTo(step.get("open").getAsBoolean());
      }
    }
  }

  @Test
  @DisplayName("F1 five calls in a row without an answer open the circuit, four do not")
  void begins() {
    lose(4);
    assertThat(circuits.answered(NODE)).isFalse();
    lose(4);
    assertThat(circuits.maySend(NODE)).isTrue();
    assertThat(circuits.open()).isZero();
    assertThat(circuits.unanswered(NODE)).as("begins it").isTrue();
    assertThat(circuits.unanswered(NODE)).as("only once").isFalse();
    assertThat(circuits.maySend(NODE)).isFalse();
    assertThat(circuits.open()).isEqualTo(1);
    time.pass(LENGTH);
    assertThat(circuits.open()).as("once a call would be sent").isZero();
  }

  @Test
  @DisplayName(
      "F1 one call is sent while it is open, after nine tenths of its length at the earliest")
  void asksOnce() {
    lose(5);
    for (int i = 0; i < 50; i++) {
      time.pass(LENGTH.dividedBy(10).multipliedBy(9).minusNanos(1));
      assertThat(circuits.maySend(NODE)).isFalse();
      time.pass(LENGTH.dividedBy(10).plusNanos(2));
      assertThat(circuits.maySend(NODE)).isTrue();
      assertThat(circuits.maySend(NODE)).isFalse();
      if (i % 2 == 0) {
        assertThat(circuits.unanswered(NODE)).isFalse();
      }
    }
  }

  @Test
  @DisplayName(
      "F1 after an answer it is half-open: the next two are sent, and their answers close it")
  void ends() {
    probed();
    assertThat(circuits.maySend(NODE)).isTrue();
    assertThat(circuits.maySend(NODE)).isTrue();
    assertThat(circuits.maySend(NODE)).isFalse();
    assertThat(circuits.answered(NODE)).isFalse();
    assertThat(circuits.maySend(NODE)).isFalse();
    assertThat(circuits.answered(NODE)).as("ends it").isTrue();
    assertThat(circuits.open()).isZero();
    lose(4);
    assertThat(circuits.maySend(NODE)).isTrue();
  }

  @Test
  @DisplayName(
      "F1 if one of the two is not answered it is open again; if its end is unknown the next is"
          + " sent later")
  void goesOn() {
    probed();
    assertThat(circuits.maySend(NODE)).isTrue();
    assertThat(circuits.unanswered(NODE)).isFalse();
    assertThat(circuits.maySend(NODE)).isFalse();
    time.pass(LENGTH);
    assertThat(circuits.maySend(NODE)).isTrue();
    assertThat(circuits.answered(NODE)).isFalse();
    assertThat(circuits.maySend(NODE) && circuits.maySend(NODE)).isTrue();
    assertThat(circuits.maySend(NODE)).isFalse();
    time.pass(LENGTH);
    assertThat(circuits.maySend(NODE)).isTrue();
  }

  @Test
  @DisplayName("F1 other nodes are asked as usual")
  void otherNodes() {
    lose(5);
    assertThat(circuits.maySend("127.0.0.1:7001")).isTrue();
    assertThat(circuits.answered("127.0.0.1:7001")).isFalse();
    assertThat(circuits.maySend(NODE)).isFalse();
  }

  @Test
  @DisplayName(
      "F1 a node that nobody asks for ten lengths is forgotten, and one that is asked is not")
  void forgotten() {
    lose(5);
    time.pass(LENGTH.multipliedBy(10));
    assertThat(circuits.maySend(NODE)).isTrue();
    time.pass(LENGTH.multipliedBy(10));
    assertThat(circuits.forgotten()).isNull();
    time.pass(LENGTH.multipliedBy(2));
    assertThat(circuits.forgotten()).isEqualTo(NODE);
    assertThat(circuits.forgotten()).isNull();
    assertThat(circuits.maySend(NODE) && circuits.maySend(NODE)).isTrue();
  }

  private void lose(int calls) {
    for (int i = 0; i < calls; i++) {
      circuits.unanswered(NODE);
    }
  }

  /* A circuit that is half-open. */
  private void probed() {
    lose(5);
    time.pass(LENGTH);
    assertThat(circuits.maySend(NODE)).isTrue();
    assertThat(circuits.answered(NODE)).isFalse();
  }

  private static Duration micros(JsonObject of, String name) {
    return Duration.of(of.get(name).getAsLong(), ChronoUnit.MICROS);
  }
}
