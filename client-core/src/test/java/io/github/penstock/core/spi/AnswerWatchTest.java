package io.github.penstock.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tells a node that answers from one that does not, for a bound that is full. */
class AnswerWatchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final AtomicLong millis = new AtomicLong();
  private final AnswerWatch watch =
      new AnswerWatch(SECOND, new EventLoopWatch(SECOND), () -> millis.get() * 1_000_000);
  private long answers;

  private NotSentException full() {
    return watch.full(answers, new IllegalStateException("full"));
  }

  @Test
  @DisplayName(
      "a full bound of a node that answers is an overload, for one deadline after an answer")
  void answering() {
    watch.sending(answers, true);
    millis.set(100);
    answers = 1;
    watch.sending(answers, false);
    assertThat(full().isOverloaded()).isTrue();
    millis.set(1_099);
    assertThat(full().isOverloaded()).isTrue();
    millis.set(1_100);
    assertThat(full().isOverloaded()).isFalse();
    assertThat(full().isNotConnected()).isFalse();
    answers = 2;
    assertThat(full().isOverloaded()).as("an answer came meanwhile").isTrue();
  }

  @Test
  @DisplayName("before its first answer a call waits, and a silent node is an outage")
  void silent() {
    millis.set(5_000);
    watch.sending(answers, true);
    watch.sending(answers, false);
    assertThat(full().isOverloaded()).isFalse();
    assertThat(full().isNotConnected()).isTrue();
    assertThat(full().withoutWaiting().isOverloaded()).as("no room to wait").isTrue();
    millis.set(6_000);
    assertThat(full().withoutWaiting().isOverloaded()).isFalse();
    assertThat(full().isNotConnected()).isFalse();
    assertThat(full().isOverloaded()).isFalse();
  }

  @Test
  @DisplayName("an answer from before a quiet time is no recent one")
  void quiet() {
    watch.sending(answers, true);
    answers = 1;
    millis.set(3_600_000);
    watch.sending(answers, true);
    assertThat(full().isOverloaded()).isFalse();
    assertThat(full().isNotConnected()).isTrue();
    answers = 2;
    assertThat(full().isOverloaded()).isTrue();
  }

  @Test
  @DisplayName("a call that is late among many is overloaded for one deadline after an answer")
  void busy() {
    assertThat(watch.busy(7)).as("none was answered").isNull();
    millis.set(100);
    watch.answeredAmongMany();
    millis.set(1_099);
    assertThat(watch.busy(7)).hasMessageContaining("7 calls are under way");
    millis.set(1_100);
    assertThat(watch.busy(7)).isNull();
  }

  @Test
  @DisplayName("a call that waits in vain was overloaded if others were answered meanwhile")
  void waitingInVain() {
    millis.set(5_000);
    watch.sending(answers, true);
    NotSentException waiting = full();
    assertThat(waiting.isNotConnected()).isTrue();
    millis.set(5_900);
    assertThat(waiting.isOverloaded()).as("no answer yet").isFalse();
    answers = 1;
    watch.sending(answers, false);
    assertThat(waiting.isOverloaded()).isTrue();
    millis.set(6_900);
    assertThat(waiting.isOverloaded()).as("none for a deadline").isFalse();
  }

  @Test
  @DisplayName("a node whose answers nobody has time to read is no outage")
  void unread() throws Exception {
    try (StalledLoop loop = new StalledLoop()) {
      loop.stall();
      EventLoopWatch loops = new EventLoopWatch(Duration.ZERO);
      loops.writing(loop.executor());
      AnswerWatch unread = new AnswerWatch(Duration.ofHours(1), loops);
      unread.sending(answers, true);
      NotSentException full = unread.full(answers, new IllegalStateException("full"));
      assertThat(full.isOverloaded()).isFalse();
      assertThat(loops.hasRead(System.nanoTime())).as("takes a look").isFalse();
      assertThat(full.isOverloaded()).isTrue();
      assertThat(unread.busy(9)).hasMessageContaining("9 calls").hasMessageContaining("too busy");
    }
  }

  @Test
  @DisplayName("a node that was silent for a deadline is an outage, whoever has time to read")
  void silentBefore() throws Exception {
    try (StalledLoop loop = new StalledLoop()) {
      EventLoopWatch loops = new EventLoopWatch(Duration.ZERO);
      loops.writing(loop.executor());
      AnswerWatch silent = new AnswerWatch(Duration.ZERO, loops);
      silent.sending(answers, true);
      loops.hasRead(System.nanoTime());
      loop.release();
      loop.stall();
      loops.hasRead(System.nanoTime());
      assertThat(loops.isBehind()).isTrue();
      assertThat(silent.busy(9)).isNull();
      assertThat(silent.full(answers, new IllegalStateException("full")).isOverloaded()).isFalse();
    }
  }
}
