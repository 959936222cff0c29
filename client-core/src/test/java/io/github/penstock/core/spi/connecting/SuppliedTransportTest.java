package io.github.penstock.core.spi.connecting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.SteppedTime;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SuppliedTransportTest {
  private final SteppedTime time = new SteppedTime();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  /** Answers with its number. */
  private record NumberedTransport(int number) implements ScriptTransport {
    @Override
    public CompletionStage<Integer> send(ScriptCall call) {
      return CompletableFuture.completedFuture(number);
    }

    @Override
    public List<CompletionStage<Integer>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      return CompletableFuture.completedFuture(null);
    }
  }

  @Test
  @DisplayName("a client is asked for before the first call, and once for all calls")
  void eager() throws InterruptedException {
    CountDownLatch asking = new CountDownLatch(1);
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              asking.countDown();
              return ClientTransport.of(new NumberedTransport(asked.incrementAndGet()), () -> true);
            },
            failure -> null);
    assertThat(asking.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(answer(transport)).isEqualTo(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(answer(transport)).isEqualTo(1);
    }
    assertThat(transport.sendAll(List.of(call())).get(0).toCompletableFuture().join()).isEqualTo(1);
    assertThat(asked).hasValue(1);
  }

  @Test
  @DisplayName("it is asked again when what it gave is closed, and that is not closed here")
  void askedAgain() {
    AtomicBoolean open = new AtomicBoolean(true);
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              int number = asked.incrementAndGet();
              return ClientTransport.of(
                  new NumberedTransport(number), () -> number > 1 || open.get());
            },
            failure -> null);
    assertThat(answer(transport)).isEqualTo(1);
    open.set(false);
    assertThat(answer(transport)).isEqualTo(2);
    transport.close();
    assertThat(closed).hasValue(0);
  }

  @Test
  @DisplayName("a supplier that blocks holds up no call, and is asked by one thread at a time")
  void blockingSupplier() {
    CountDownLatch release = new CountDownLatch(1);
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              asked.incrementAndGet();
              await(release);
              return ClientTransport.of(new NumberedTransport(7), () -> true);
            },
            failure -> null);
    for (int i = 0; i < 1_000; i++) {
      NotSentException notYet =
          catchThrowableOfType(NotSentException.class, () -> transport.send(call()));
      assertThat(notYet.isNotConnected()).isTrue();
      assertThat(notYet.reason()).hasMessage("the first connection is being made");
    }
    release.countDown();
    assertThat(answer(transport)).isEqualTo(7);
    assertThat(asked).hasValue(1);
  }

  @Test
  @DisplayName("a supplier that throws rests longer each time, and its exception is the reason")
  void failingSupplier() {
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              throw new IllegalStateException("down " + asked.incrementAndGet());
            },
            failure -> null,
            time);
    int failures = 1;
    for (int restMs : new int[] {10, 20, 40, 80, 160, 320, 320}) {
      awaitReason(transport, "down " + failures);
      time.pass(Duration.ofMillis(restMs).minusNanos(1));
      awaitReason(transport, "down " + failures);
      time.pass(Duration.ofNanos(1));
      awaitReason(transport, "down " + ++failures);
      assertThat(asked).hasValue(failures);
    }
  }

  @Test
  @DisplayName("a first client that is not made in time is no outage for 4.2 s")
  void lateSupplier() {
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              String reason = "late " + asked.incrementAndGet();
              throw new IllegalStateException(reason, new TimeoutException());
            },
            failure -> null,
            time);
    for (int passedMs = 0; passedMs < 4_200; passedMs += 100) {
      assertThat(reason(transport)).isEqualTo("the first connection is being made");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      time.pass(Duration.ofMillis(100));
    }
    for (int i = 0; i < 10_000 && !reason(transport).startsWith("late "); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      time.pass(Duration.ofMillis(320));
    }
    assertThat(reason(transport)).startsWith("late ");
  }

  private static String reason(SuppliedTransport transport) {
    NotSentException last =
        catchThrowableOfType(NotSentException.class, () -> transport.send(call()));
    assertThat(last.isNotConnected()).isTrue();
    return last.reason().getMessage();
  }

  private static void awaitReason(SuppliedTransport transport, String reason) {
    while (!reason.equals(reason(transport))) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  @DisplayName("a supplier's mistake is reported as one, and not as a connection that is missing")
  void mistake(Supplier<ClientTransport> supplier) {
    SuppliedTransport transport = new SuppliedTransport(supplier, failure -> null);
    ConnectionBackoff pause =
        new ConnectionBackoff(TimeSource.SYSTEM, TimeSource.SYSTEM.nanos() + 60_000_000_000L);
    Throwable told;
    do {
      told = catchThrowable(() -> transport.send(call()));
    } while (told instanceof NotSentException && pause.beforeNext());
    assertThat(told)
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessageStartingWith("there is no client to ask: ");
  }

  static Stream<Supplier<ClientTransport>> mistakes() {
    return Stream.of(
        () -> {
          throw new IllegalArgumentException("client must be newer");
        },
        () -> {
          throw new NoSuchMethodError("of a newer client");
        },
        () -> {
          throw new ClassCastException();
        });
  }

  @Test
  @DisplayName("what the client throws when it is closed is thrown")
  void failingClose() {
    IllegalStateException failure = new IllegalStateException("it is in use");
    SuppliedTransport transport =
        new SuppliedTransport(
            () ->
                new ClientTransport(
                    new NumberedTransport(1),
                    () -> true,
                    () -> {
                      throw failure;
                    }),
            unknown -> null);
    answer(transport);
    assertThatThrownBy(transport::close).isSameAs(failure);
  }

  @Test
  @DisplayName("closing waits for a client that is being made, if asked to, and closes it")
  void closingWhileConnecting() {
    CountDownLatch release = new CountDownLatch(1);
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              await(release);
              return new ClientTransport(
                  new NumberedTransport(1), () -> true, closed::incrementAndGet);
            },
            failure -> null);
    assertThatThrownBy(() -> transport.send(call())).isInstanceOf(NotSentException.class);
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(() -> transport.close(Duration.ofMinutes(1)));
    ConnectionBackoff pause =
        new ConnectionBackoff(TimeSource.SYSTEM, TimeSource.SYSTEM.nanos() + 60_000_000_000L);
    while (catchThrowableOfType(NotSentException.class, () -> transport.send(call()))
        .isNotConnected()) {
      assertThat(pause.beforeNext()).isTrue();
    }
    assertThat(closing).isNotDone();
    release.countDown();
    closing.join();
    assertThat(closed).hasValue(1);
  }

  @Test
  @DisplayName("closing closes what was made for it, and no other is asked for")
  void closing() {
    SuppliedTransport transport = transport(new AtomicBoolean(true));
    answer(transport);
    transport.close();
    assertThat(closed).hasValue(1);
    NotSentException end =
        catchThrowableOfType(NotSentException.class, () -> transport.send(call()));
    assertThat(end.isNotConnected()).isFalse();
    assertThatThrownBy(() -> transport.loadFunctions("library").toCompletableFuture().join())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(asked).hasValue(1);
  }

  private SuppliedTransport transport(AtomicBoolean open) {
    return new SuppliedTransport(
        () ->
            new ClientTransport(
                new NumberedTransport(asked.incrementAndGet()), open::get, closed::incrementAndGet),
        failure -> null);
  }

  private static Object answer(SuppliedTransport transport) {
    ConnectionBackoff pause =
        new ConnectionBackoff(TimeSource.SYSTEM, TimeSource.SYSTEM.nanos() + 60_000_000_000L);
    while (true) {
      try {
        return transport.send(call()).toCompletableFuture().join();
      } catch (NotSentException e) {
        assertThat(e.isNotConnected()).isTrue();
        assertThat(pause.beforeNext()).as("within a minute").isTrue();
      }
    }
  }

  private static ScriptCall call() {
    return new ScriptCall(
        ScriptCall.Verb.EVALSHA,
        LuaScript.FIXED_WINDOW,
        new byte[] {'k'},
        null,
        new byte[0][],
        TimeSource.SYSTEM.nanos() + Duration.ofMinutes(1).toNanos(),
        TimeSource.SYSTEM);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
