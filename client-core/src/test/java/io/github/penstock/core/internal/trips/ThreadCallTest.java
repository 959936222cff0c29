package io.github.penstock.core.internal.trips;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trips of threads through a transport whose answers the test gives. */
class ThreadCallTest {
  private static final List<Long> ALLOWED = List.of(1L, 100L, 50L, 0L, 9L, 1L);
  private static final List<Long> TWO_ALLOWED = List.of(2L, 100L, 50L, 0L, 9L, 1L);
  private static final int ALONE = (int) ClientNumbers.TRIP_CALLS_AT_ONCE;
  private final HeldTransport transport = new HeldTransport();
  private final WatchedTime time = new WatchedTime();
  private final SharedTransport shared = SharedTransport.ofBlocking(transport, time);

  private Caller begun(String name) {
    Caller caller = new Caller(name);
    caller.start();
    return caller;
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "C5 an answer that arrived before the deadline is told after it, if other threads wake first")
  void toldAtTheDeadline() throws Exception {
    List<Caller> lones = new ArrayList<>();
    for (int i = 0; i < ALONE; i++) {
      lones.add(begun("lone"));
      transport.asked.acquire();
    }
    List<Caller> callers = new ArrayList<>();
    for (String name : List.of("first", "second", "last")) {
      callers.add(begun(name));
      time.waiting.acquire();
    }
    transport.replies.add(ALLOWED);
    transport.asked.acquire();
    transport.replies.addAll(Collections.nCopies(ALONE - 1, ALLOWED));
    transport.ofTrips.add(List.of(TWO_ALLOWED, ALLOWED));
    time.woken.await();
    time.late.countDown();
    Caller second = callers.get(1);
    while (second.isAlive() && second.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    time.mayWakeNext.countDown();
    for (Caller lone : lones) {
      assertThat(lone.answer.get()).isEqualTo(ALLOWED);
    }
    for (Caller caller : callers) {
      assertThat(caller.answer.get()).asInstanceOf(InstanceOfAssertFactories.LIST).startsWith(1L);
    }
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "F2.9 a call that waits for others opens no connection; one that is sent at once may")
  void opens() throws Exception {
    for (int i = 0; i < ALONE; i++) {
      assertThat(shared.opens(call(), false)).isTrue();
      begun("lone");
      transport.asked.acquire();
    }
    assertThat(shared.opens(call(), false)).isFalse();
    time.nanos = TimeUnit.MILLISECONDS.toNanos(ClientNumbers.TRIP_OLD_MS);
    assertThat(shared.opens(call(), false)).isTrue();
  }

  private ScriptCall call() {
    byte[][] tiers = {{'1', '0', '0'}, {'9'}};
    long end = time.nanos() + TimeUnit.MINUTES.toNanos(1);
    byte[] one = {'1'};
    return new ScriptCall(
        Verb.EVALSHA, LuaScript.FIXED_WINDOW, new byte[] {'k'}, one, tiers, end, time);
  }

  private final class Caller extends Thread {
    private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();

    Caller(String name) {
      super(name);
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        answer.complete(shared.send(call()).toCompletableFuture().join());
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      }
    }
  }

  /**
   * Stands still unless the test moves it. It wakes the first thread, and then the deadline of the
   * second one passes.
   */
  private static final class WatchedTime implements TimeSource {
    private final Semaphore waiting = new Semaphore(0);
    private final CountDownLatch woken = new CountDownLatch(1);
    private final CountDownLatch late = new CountDownLatch(1);
    private final CountDownLatch mayWakeNext = new CountDownLatch(1);
    private volatile long nanos;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public long wallMillis() {
      return 0;
    }

    @Override
    public boolean await(CompletableFuture<?> event, long untilNanos) throws InterruptedException {
      String name = Thread.currentThread().getName();
      if (name.equals("first")) {
        event.thenRun(
            () -> {
              woken.countDown();
              uninterrupted(mayWakeNext);
            });
      }
      waiting.release();
      if (name.equals("second")) {
        late.await();
        return false;
      }
      return TimeSource.super.await(event, untilNanos);
    }

    private static void uninterrupted(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** A transport that sends nothing, and whose replies the test gives. */
  private static final class HeldTransport implements ScriptTransport {
    private final Semaphore asked = new Semaphore(0);
    private final BlockingQueue<List<Long>> replies = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<List<Long>>> ofTrips = new LinkedBlockingQueue<>();

    private <T> T next(BlockingQueue<T> from) {
      asked.release();
      try {
        return from.take();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public CompletionStage<?> send(ScriptCall call) {
      return CompletableFuture.completedFuture(next(replies));
    }

    @Override
    public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
      return next(ofTrips).stream().map(CompletableFuture::completedFuture).toList();
    }

    @Override
    public boolean ordersCalls() {
      return true;
    }

    @Override
    public boolean opens(ScriptCall call, boolean silent) {
      return true;
    }

    @Override
    public Object node(ScriptCall call) {
      return "the server";
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException();
    }
  }
}
