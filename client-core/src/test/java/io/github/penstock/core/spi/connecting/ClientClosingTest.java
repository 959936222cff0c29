package io.github.penstock.core.spi.connecting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientClosingTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicInteger closed = new AtomicInteger();

  @Test
  @DisplayName("a client that does not close keeps nobody, and is closed in the end")
  void endless() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    ClientClosing.await(
        () -> {
          hold(held);
          ended.countDown();
        },
        Duration.ofMillis(1));
    assertThat(ended.getCount()).isOne();
    held.countDown();
    assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  @DisplayName("closing is waited for, by an interrupted thread, too, which stays interrupted")
  void waited() {
    Thread.currentThread().interrupt();
    ClientClosing.await(
        () -> {
          Thread.yield();
          closed.incrementAndGet();
        },
        LONG);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(closed).hasValue(1);
  }

  @Test
  @DisplayName("what closing throws is thrown")
  void failing() {
    IllegalStateException failure = new IllegalStateException("it is open");
    assertThatThrownBy(
            () ->
                ClientClosing.await(
                    () -> {
                      throw failure;
                    },
                    LONG))
        .isSameAs(failure);
  }

  @Test
  @DisplayName("a client whose own time-out ends it has closed, badly, and in time")
  void itsOwnTimeout() {
    TimeoutException own = new TimeoutException("no answer to QUIT");
    assertThatThrownBy(
            () ->
                ClientClosing.await(
                    () -> {
                      throw new CompletionException(own);
                    },
                    LONG))
        .hasCause(own);
  }

  @Test
  @DisplayName("a callback on the timer of CompletableFuture is not kept either")
  void onTheTimer() {
    CountDownLatch held = new CountDownLatch(1);
    CompletableFuture<Void> timer = new CompletableFuture<>();
    CompletableFuture<Void> closing =
        timer.exceptionally(
            late -> {
              ClientClosing.await(() -> hold(held), Duration.ofMillis(1));
              return null;
            });
    try {
      timer.orTimeout(1, TimeUnit.MILLISECONDS);
      assertThat(closing).succeedsWithin(LONG);
    } finally {
      held.countDown();
    }
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
