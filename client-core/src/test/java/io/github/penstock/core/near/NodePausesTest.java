package io.github.penstock.core.near;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodePausesTest {
  private static final Duration LENGTH = Duration.ofSeconds(1);
  private static final String NODE = "127.0.0.1:7000";
  private final SteppedTime time = new SteppedTime();
  private final NodePauses pauses = new NodePauses(LENGTH, time);

  @Test
  @DisplayName("F1 five calls in a row without an answer begin a pause, four do not")
  void begins() {
    lose(4);
    assertThat(pauses.answered(NODE)).isFalse();
    lose(4);
    assertThat(pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.paused()).isZero();
    assertThat(pauses.unanswered(NODE)).as("begins it").isTrue();
    assertThat(pauses.unanswered(NODE)).as("is told once").isFalse();
    assertThat(pauses.mayAsk(NODE)).isFalse();
    assertThat(pauses.paused()).isEqualTo(1);
    time.pass(LENGTH);
    assertThat(pauses.paused()).as("once a call would be sent").isZero();
  }

  @Test
  @DisplayName("F1 one call a pause asks, after nine tenths of its length at the earliest")
  void asksOnce() {
    lose(5);
    for (int i = 0; i < 50; i++) {
      time.pass(LENGTH.dividedBy(10).multipliedBy(9).minusNanos(1));
      assertThat(pauses.mayAsk(NODE)).isFalse();
      time.pass(LENGTH.dividedBy(10).plusNanos(2));
      assertThat(pauses.mayAsk(NODE)).isTrue();
      assertThat(pauses.mayAsk(NODE)).isFalse();
      if (i % 2 == 0) {
        assertThat(pauses.unanswered(NODE)).isFalse();
      }
    }
  }

  @Test
  @DisplayName("F1 after an answer the next two ask at once, and their answers end the pause")
  void ends() {
    probed();
    assertThat(pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.mayAsk(NODE)).isFalse();
    assertThat(pauses.answered(NODE)).isFalse();
    assertThat(pauses.mayAsk(NODE)).isFalse();
    assertThat(pauses.answered(NODE)).as("ends it").isTrue();
    assertThat(pauses.paused()).isZero();
    lose(4);
    assertThat(pauses.mayAsk(NODE)).isTrue();
  }

  @Test
  @DisplayName(
      "F1 if one of the two is not answered the pause goes on; if nobody hears of it the next asks later")
  void goesOn() {
    probed();
    assertThat(pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.unanswered(NODE)).isFalse();
    assertThat(pauses.mayAsk(NODE)).isFalse();
    time.pass(LENGTH);
    assertThat(pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.answered(NODE)).isFalse();
    assertThat(pauses.mayAsk(NODE) && pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.mayAsk(NODE)).isFalse();
    time.pass(LENGTH);
    assertThat(pauses.mayAsk(NODE)).isTrue();
  }

  @Test
  @DisplayName("F1 other nodes are asked as usual")
  void otherNodes() {
    lose(5);
    assertThat(pauses.mayAsk("127.0.0.1:7001")).isTrue();
    assertThat(pauses.answered("127.0.0.1:7001")).isFalse();
    assertThat(pauses.mayAsk(NODE)).isFalse();
  }

  @Test
  @DisplayName(
      "F1 a node that nobody asks for ten lengths is forgotten, and one that is asked is not")
  void forgotten() {
    lose(5);
    time.pass(LENGTH.multipliedBy(10));
    assertThat(pauses.mayAsk(NODE)).isTrue();
    time.pass(LENGTH.multipliedBy(10));
    assertThat(pauses.forgotten()).isNull();
    time.pass(LENGTH.multipliedBy(2));
    assertThat(pauses.forgotten()).isEqualTo(NODE);
    assertThat(pauses.forgotten()).isNull();
    assertThat(pauses.mayAsk(NODE) && pauses.mayAsk(NODE)).isTrue();
  }

  private void lose(int calls) {
    for (int i = 0; i < calls; i++) {
      pauses.unanswered(NODE);
    }
  }

  /* A pause in which the first call that asked was answered. */
  private void probed() {
    lose(5);
    time.pass(LENGTH);
    assertThat(pauses.mayAsk(NODE)).isTrue();
    assertThat(pauses.answered(NODE)).isFalse();
  }
}
