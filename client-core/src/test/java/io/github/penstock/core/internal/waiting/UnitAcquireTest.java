package io.github.penstock.core.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.spi.time.EagerTime;
import io.github.penstock.core.spi.time.SteppedTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a call that waits for units takes the answers; how long it sleeps is the server's word. */
class UnitAcquireTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Decision ALLOWED = decision(true, Duration.ZERO);
  private final EagerTime time = new EagerTime();
  private final WaitingQueue line = new WaitingQueue(time);
  private final SteppedTime still = new SteppedTime();
  private final WaitingQueue stoodStill = new WaitingQueue(still);
  private final Queue<Decision> answers = new ArrayDeque<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger givenBack = new AtomicInteger();

  private static Decision decision(boolean allowed, Duration wait) {
    return new Decision(allowed, 9, 1, wait.toNanos() / 1_000, 5, 1, DecisionSource.SERVER);
  }

  private static Decision denied(long millis) {
    return decision(false, Duration.ofMillis(millis));
  }

  private synchronized Decision next() {
    asked.incrementAndGet();
    return answers.size() == 1 ? answers.element() : answers.remove();
  }

  private Decision await(Duration atMost) throws InterruptedException {
    return await(line, atMost);
  }

  private Decision await(WaitingQueue in, Duration atMost) throws InterruptedException {
    return new BlockingAcquire(in, "key", this::next, late -> givenBack.incrementAndGet())
        .await(atMost);
  }

  private AsyncAcquire begin(Duration atMost) {
    return begin(line, atMost);
  }

  private AsyncAcquire begin(WaitingQueue in, Duration atMost) {
    return AsyncAcquire.begin(
        atMost,
        in,
        "key",
        () -> CompletableFuture.completedFuture(next()),
        late -> CompletableFuture.completedFuture(givenBack.incrementAndGet()),
        null);
  }

  /* Moves the clock until a call that waits is done. */
  private Decision get(CompletionStage<Decision> stage) throws Exception {
    while (true) {
      try {
        return stage.toCompletableFuture().get(1, TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        time.pass(Duration.ofMillis(1));
      }
    }
  }

  @Test
  @DisplayName("an allowed call does not wait")
  void allowed() throws Exception {
    answers.add(ALLOWED);
    assertThat(await(Duration.ZERO)).isEqualTo(ALLOWED);
    assertThat(get(begin(Duration.ZERO))).isEqualTo(ALLOWED);
    assertThat(asked).hasValue(2);
  }

  @Test
  @DisplayName("a denial is waited for as long as the server says, and asked again")
  void waits() throws Exception {
    answers.addAll(List.of(denied(50), denied(50), ALLOWED));
    assertThat(await(MINUTE)).isEqualTo(ALLOWED);
    Duration blocked = time.passed();
    assertThat(blocked).isBetween(Duration.ofMillis(100), Duration.ofMillis(113));
    assertThat(asked).hasValue(3);
    answers.clear();
    answers.addAll(List.of(denied(50), denied(50), ALLOWED));
    assertThat(get(begin(MINUTE))).isEqualTo(ALLOWED);
    assertThat(time.passed().minus(blocked)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    assertThat(asked).hasValue(6);
  }

  @Test
  @DisplayName("a wait that atMost will not do for, or that never ends, is the answer at once")
  void atOnce() throws Exception {
    for (Decision hopeless :
        List.of(denied(61_000), new Decision(false, 9, 1, -1, 5, 1, DecisionSource.SERVER))) {
      answers.clear();
      answers.add(hopeless);
      asked.set(0);
      assertThat(await(MINUTE)).isEqualTo(hopeless);
      assertThat(get(begin(MINUTE))).isEqualTo(hopeless);
      assertThat(asked).hasValue(2);
    }
  }

  @Test
  @DisplayName("an admitted call waits for its turn, and then has no delay left")
  void turn() throws Exception {
    answers.add(decision(true, Duration.ofMillis(50)));
    assertThat(await(MINUTE)).isEqualTo(ALLOWED);
    assertThat(time.passed()).isEqualTo(Duration.ofMillis(50));
    assertThat(get(begin(MINUTE))).isEqualTo(ALLOWED);
    assertThat(time.passed()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    assertThat(givenBack).hasValue(0);
  }

  @Test
  @DisplayName("an admitted call whose turn is too late gives its units back, and is denied")
  void turnTooLate() throws Exception {
    answers.add(decision(true, HOUR));
    for (Decision late : List.of(await(MINUTE), get(begin(MINUTE)))) {
      assertThat(late.allowed()).isFalse();
      assertThat(late.retryAfter()).isBetween(HOUR.minus(MINUTE), HOUR);
    }
    assertThat(givenBack).hasValue(2);
  }

  @Test
  @DisplayName("only the first in the line asks; the others join after one call, and leave in time")
  void line() throws Exception {
    answers.add(denied(30_000));
    List<AsyncAcquire> waiting = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      waiting.add(begin(MINUTE));
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(asked).hasValue(1_000);
    answers.clear();
    answers.add(denied(10));
    AsyncAcquire later = begin(MINUTE);
    answers.clear();
    answers.add(ALLOWED);
    waiting.forEach(acquire -> acquire.cancel(true));
    assertThat(get(later)).isEqualTo(ALLOWED);
    assertThat(asked).hasValue(1_002);
    assertThat(begin(MINUTE)).isDone();
  }

  @Test
  @DisplayName("whose turn does not come in time gets the denial that it had")
  void timesOut() throws Exception {
    answers.add(denied(30_000));
    AsyncAcquire first = begin(MINUTE);
    answers.clear();
    answers.add(denied(10));
    assertThat(get(begin(Duration.ofMillis(60)))).isEqualTo(denied(10));
    assertThat(await(Duration.ofMillis(60))).isEqualTo(denied(10));
    assertThat(asked).hasValue(3);
    assertThat(first).isNotDone();
    first.cancel(true);
  }

  @Test
  @DisplayName("who waits can be interrupted, in the line and at its head, and leaves it")
  void interrupted() throws Exception {
    answers.add(denied(30_000));
    for (int i = 0; i < 2; i++) {
      AtomicBoolean interrupted = new AtomicBoolean();
      Thread thread =
          new Thread(
              () -> {
                try {
                  await(stoodStill, MINUTE);
                } catch (InterruptedException e) {
                  interrupted.set(true);
                }
              });
      int before = asked.get();
      thread.start();
      while (asked.get() == before || thread.getState() == Thread.State.RUNNABLE) {
        Thread.onSpinWait();
      }
      thread.interrupt();
      thread.join();
      assertThat(interrupted).isTrue();
    }
    answers.clear();
    answers.addAll(List.of(denied(1), ALLOWED));
    AsyncAcquire next = begin(stoodStill, MINUTE);
    still.awaitPending(2);
    still.pass(Duration.ofSeconds(1));
    assertThat(next.get(60, TimeUnit.SECONDS)).isEqualTo(ALLOWED);
  }

  @Test
  @DisplayName("a call that fails ends the wait, and leaves the line")
  void fails() throws Exception {
    IllegalStateException lost = new IllegalStateException("lost");
    Queue<CompletionStage<Decision>> stages = new ArrayDeque<>();
    stages.add(CompletableFuture.completedFuture(denied(1)));
    stages.add(CompletableFuture.failedFuture(lost));
    AsyncAcquire failing =
        AsyncAcquire.begin(
            MINUTE, line, "key", stages::remove, late -> new CompletableFuture<>(), null);
    assertThatThrownBy(() -> get(failing)).hasCause(lost);
    answers.addAll(List.of(denied(1), ALLOWED));
    assertThat(get(begin(MINUTE))).isEqualTo(ALLOWED);
  }

  @Test
  @DisplayName("a call or a refund that cannot even be made ends the wait")
  void cannotAsk() {
    IllegalStateException closed = new IllegalStateException("closed");
    Queue<Decision> once = new ArrayDeque<>(List.of(denied(1)));
    AsyncAcquire asking =
        AsyncAcquire.begin(
            MINUTE,
            line,
            "key",
            () -> {
              if (once.isEmpty()) {
                throw closed;
              }
              return CompletableFuture.completedFuture(once.remove());
            },
            late -> new CompletableFuture<>(),
            null);
    assertThatThrownBy(() -> get(asking)).hasCause(closed);
    AsyncAcquire givingBack =
        AsyncAcquire.begin(
            MINUTE,
            line,
            "key",
            () -> CompletableFuture.completedFuture(decision(true, HOUR)),
            late -> {
              throw closed;
            },
            null);
    assertThatThrownBy(() -> get(givingBack)).hasCause(closed);
  }

  @Test
  @DisplayName("when the line is closed, all that wait ask at once, and so does who comes later")
  void closed() throws Exception {
    answers.add(denied(30_000));
    List<CompletionStage<Decision>> waiting = new ArrayList<>();
    waiting.add(begin(stoodStill, MINUTE));
    waiting.add(begin(stoodStill, MINUTE));
    CompletableFuture<Decision> inThread = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                inThread.complete(await(stoodStill, MINUTE));
              } catch (InterruptedException e) {
                inThread.completeExceptionally(e);
              }
            });
    waiting.add(inThread);
    thread.start();
    while (asked.get() < 3 || thread.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    answers.clear();
    answers.add(ALLOWED);
    stoodStill.close();
    for (CompletionStage<Decision> each : waiting) {
      assertThat(get(each)).isEqualTo(ALLOWED);
    }
    answers.clear();
    answers.addAll(List.of(denied(30_000), ALLOWED));
    assertThat(get(begin(stoodStill, MINUTE))).isEqualTo(ALLOWED);
    answers.clear();
    answers.addAll(List.of(denied(30_000), ALLOWED));
    assertThat(await(stoodStill, MINUTE)).isEqualTo(ALLOWED);
  }

  @Test
  @DisplayName("who is interrupted before it begins asks nothing")
  void interruptedBefore() {
    answers.add(ALLOWED);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> await(MINUTE)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(asked).hasValue(0);
  }

  @Test
  @DisplayName("the pause is the wait and up to an eighth of it, at random, within atMost")
  void randomPart() {
    Duration wait = Duration.ofDays(8);
    Duration halfOfRandomPart = Duration.ofHours(12);
    UnitWait within = new UnitWait(wait.multipliedBy(2), time);
    UnitWait barely = new UnitWait(wait.plus(halfOfRandomPart), time);
    assertThat(within.isWorthWaiting(decision(false, wait))).isTrue();
    assertThat(barely.isWorthWaiting(decision(false, wait))).isTrue();
    long[] pauses = LongStream.generate(() -> pauseNanos(within)).limit(1_000).sorted().toArray();
    assertThat(pauses[0]).isGreaterThan(wait.minus(HOUR).toNanos());
    assertThat(pauses[999]).isLessThanOrEqualTo(wait.plusDays(1).toNanos());
    assertThat(pauses[999] - pauses[0]).isGreaterThan(halfOfRandomPart.toNanos());
    assertThat(LongStream.generate(() -> pauseNanos(barely)).limit(1_000).max().orElseThrow())
        .isLessThanOrEqualTo(wait.plus(halfOfRandomPart).toNanos());
  }

  private long pauseNanos(UnitWait wait) {
    return wait.pauseEndNanos() - time.nanos();
  }

  @Test
  @DisplayName("atMost is from 0 to 366 days")
  void bounds() {
    answers.add(ALLOWED);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(Duration.ofNanos(-1)))
        .withMessage("atMost must be from 0 to 366 days: PT-0.000000001S");
    assertThatIllegalArgumentException().isThrownBy(() -> begin(Duration.ofDays(367)));
    assertThat(asked).hasValue(0);
  }
}
