package io.github.penstock.core.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.PortFailure;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.core.waiting.ConnectionPause;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SuppliedPortTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  /** Answers with its number. */
  private record NumberedPort(int number) implements ScriptPort {
    @Override
    public Object send(ScriptCall call) {
      return number;
    }

    @Override
    public List<PortReply> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(call -> PortReply.of(number)).toList();
    }

    @Override
    public PortFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public void loadFunctions(String library) {}
  }

  @Test
  @DisplayName("a client is asked for before the first call, and once for all calls")
  void eager() throws InterruptedException {
    CountDownLatch asking = new CountDownLatch(1);
    SuppliedPort port =
        new SuppliedPort(
            () -> {
              asking.countDown();
              return ClientPort.of(new NumberedPort(asked.incrementAndGet()), () -> true);
            },
            failure -> null);
    assertThat(asking.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(answer(port)).isEqualTo(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(port.send(call())).isEqualTo(1);
    }
    assertThat(port.sendAll(List.of(call()))).containsExactly(PortReply.of(1));
    assertThat(asked).hasValue(1);
  }

  @Test
  @DisplayName("it is asked again when what it gave is closed, and that is not closed here")
  void askedAgain() {
    AtomicBoolean open = new AtomicBoolean(true);
    SuppliedPort port =
        new SuppliedPort(
            () -> {
              int number = asked.incrementAndGet();
              return ClientPort.of(new NumberedPort(number), () -> number > 1 || open.get());
            },
            failure -> null);
    assertThat(answer(port)).isEqualTo(1);
    open.set(false);
    assertThat(answer(port)).isEqualTo(2);
    port.close();
    assertThat(closed).hasValue(0);
  }

  @Test
  @DisplayName("a supplier that blocks holds up no call, and is asked by one thread at a time")
  void blockingSupplier() {
    CountDownLatch release = new CountDownLatch(1);
    SuppliedPort port =
        new SuppliedPort(
            () -> {
              asked.incrementAndGet();
              await(release);
              return ClientPort.of(new NumberedPort(7), () -> true);
            },
            failure -> null);
    for (int i = 0; i < 1_000; i++) {
      NotSentException notYet =
          catchThrowableOfType(NotSentException.class, () -> port.send(call()));
      assertThat(notYet.isNotConnected()).isTrue();
      assertThat(notYet.reason()).hasMessage("the first connection is being made");
    }
    release.countDown();
    assertThat(answer(port)).isEqualTo(7);
    assertThat(asked).hasValue(1);
  }

  @Test
  @DisplayName("a supplier that throws rests longer each time, and its exception is the reason")
  void failingSupplier() throws InterruptedException {
    SuppliedPort port =
        new SuppliedPort(
            () -> {
              throw new IllegalStateException("down " + asked.incrementAndGet());
            },
            failure -> null);
    long begun = System.nanoTime();
    NotSentException last;
    do {
      last = catchThrowableOfType(NotSentException.class, () -> port.send(call()));
      Thread.sleep(1);
    } while (asked.get() < 6);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(Duration.ofMillis(10 + 20 + 40 + 80 + 160));
    assertThat(last.isNotConnected()).isTrue();
    assertThat(last.reason()).hasMessageStartingWith("down ");
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  @DisplayName("a supplier's mistake is told as one, and not as a connection that is missing")
  void mistake(Supplier<ClientPort<ScriptPort>> supplier) {
    SuppliedPort port = new SuppliedPort(supplier, failure -> null);
    ConnectionPause pause = new ConnectionPause(System.nanoTime() + 60_000_000_000L);
    Throwable told;
    do {
      told = catchThrowable(() -> port.send(call()));
    } while (told instanceof NotSentException && pause.beforeNext());
    assertThat(told)
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessageStartingWith("there is no client to ask: ");
  }

  static Stream<Supplier<ClientPort<ScriptPort>>> mistakes() {
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
    SuppliedPort port =
        new SuppliedPort(
            () ->
                new ClientPort<>(
                    new NumberedPort(1),
                    () -> true,
                    () -> {
                      throw failure;
                    }),
            unknown -> null);
    answer(port);
    assertThatThrownBy(port::close).isSameAs(failure);
  }

  @Test
  @DisplayName("closing waits for a client that is being made, if it is told to, and closes it")
  void closingWhileConnecting() {
    CountDownLatch release = new CountDownLatch(1);
    SuppliedClient<String> client =
        new SuppliedClient<>(
            () -> {
              await(release);
              return new ClientPort<>("port", () -> true, closed::incrementAndGet);
            });
    assertThatThrownBy(client::port).isInstanceOf(NotSentException.class);
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(() -> client.close(Duration.ofMinutes(1)));
    ConnectionPause pause = new ConnectionPause(System.nanoTime() + 60_000_000_000L);
    while (catchThrowableOfType(NotSentException.class, client::port).isNotConnected()) {
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
    SuppliedPort port = port(new AtomicBoolean(true));
    answer(port);
    port.close();
    assertThat(closed).hasValue(1);
    NotSentException end = catchThrowableOfType(NotSentException.class, () -> port.send(call()));
    assertThat(end.isNotConnected()).isFalse();
    assertThatThrownBy(() -> port.loadFunctions("library"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(asked).hasValue(1);
  }

  private SuppliedPort port(AtomicBoolean open) {
    return new SuppliedPort(
        () ->
            new ClientPort<>(
                new NumberedPort(asked.incrementAndGet()), open::get, closed::incrementAndGet),
        failure -> null);
  }

  private static Object answer(SuppliedPort port) {
    ConnectionPause pause = new ConnectionPause(System.nanoTime() + 60_000_000_000L);
    while (true) {
      try {
        return port.send(call());
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
        System.nanoTime() + Duration.ofMinutes(1).toNanos());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
