package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.VerdictChange.Verdict;
import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import io.github.penstock.core.spi.time.SteppedTime;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Late stages end with the verdict of a check (rule F2). */
class CheckedCallTest {
  private static final List<Long> ALLOWED = List.of(1L, 5L, 4L, 0L, 1_000_000L, 1L);
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int MANY = 100;
  private static final int MOST_STEPS = 30_000;
  private static final int CLOSED_STEPS = 2_000;
  private static final int SILENT_STEPS = 8_000;

  private final SteppedTime time = new SteppedTime();
  private final CheckedTransport transport = new CheckedTransport();

  private final BlockingQueue<VerdictChange> changes = new LinkedBlockingQueue<>();
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .deadline(DEADLINE)
          .onUnavailable(OnUnavailable.THROW)
          .onOverload(OnOverload.THROW)
          .shareTrips(false)
          .listener(
              new RateLimitListener() {
                @Override
                public void onDecision(
                    LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {}

                @Override
                public void onVerdict(VerdictChange change) {
                  changes.add(change);
                }
              })
          .build();

  @AutoClose private final AsyncTransportRateLimiters limiters = limiters(options);

  private AsyncTransportRateLimiters limiters(RateLimiterOptions chosen) {
    return new AsyncTransportRateLimiters(transport, chosen, KnownPasswords.none(), () -> {}, time);
  }

  /** A node that answers a call when it is told to, and a check for each permit. */
  private static final class CheckedTransport implements ScriptTransport, CheckConnection {
    private volatile CompletableFuture<Object> answer = new CompletableFuture<>();
    private volatile boolean connected = true;
    private volatile boolean cuts;
    private volatile boolean opens;
    private final AtomicInteger sent = new AtomicInteger();
    private final Semaphore opened = new Semaphore(0);
    private final Semaphore asked = new Semaphore(0);
    private final Semaphore peeks = new Semaphore(0);
    private final Semaphore answers = new Semaphore(0);

    @Override
    public CompletionStage<Object> send(ScriptCall call) {
      if (call.peeks()) {
        peeks.release();
      }
      sent.incrementAndGet();
      answer = new CompletableFuture<>();
      return answer;
    }

    @Override
    public List<CompletionStage<Object>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return thrown instanceof ClientTimeoutException
          ? TransportFailure.of(FailureKind.NOT_ANSWERED)
          : null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean checksNodes() {
      return true;
    }

    @Override
    public boolean opens(ScriptCall call, boolean silent) {
      return opens;
    }

    @Override
    public CheckConnection openCheck(ScriptCall call) {
      opened.release();
      if (!connected) {
        throw NotSentException.notConnected(new IllegalStateException("not connected"));
      }
      return this;
    }

    @Override
    public void write(ScriptCall call) {
      asked.release();
    }

    @Override
    public @Nullable Object read() {
      if (cuts) {
        throw new IllegalStateException("the connection was cut");
      }
      answers.acquireUninterruptibly();
      return ALLOWED;
    }

    @Override
    public void close() {
      answers.release();
    }
  }

  @Test
  @DisplayName("F2 a late stage is an overload if the server answers the check")
  void overloaded() {
    transport.answers.release(MANY);
    CompletableFuture<Decision> call = begun();
    time.pass(DEADLINE);
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageContaining("although the server answers");
    assertThat(transport.answer).isCancelled();
  }

  @Test
  @DisplayName("F2 a late stage is an outage if the server does not answer the check")
  void silent() throws Exception {
    transport.answers.release();
    begun();
    awaitAsked();
    // A second check, which is asked once the first is answered.
    do {
      time.pass(Duration.ofSeconds(11));
      begun();
    } while (!transport.asked.tryAcquire(10, TimeUnit.MILLISECONDS));
    CompletableFuture<Decision> call = begun();
    for (int i = 0; i < MOST_STEPS && !call.isDone(); i++) {
      time.pass(Duration.ofMillis(1));
      LockSupport.parkNanos(100_000);
    }
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(MayHaveBeenChargedException.class);
    assertThat(transport.answer).isCancelled();
    VerdictChange change = changes.poll(30, TimeUnit.SECONDS);
    assertThat(change).isNotNull();
    assertThat(change.verdict()).isEqualTo(Verdict.SILENT);
    assertThat(change.before()).isEqualTo(Verdict.UP);
    assertThat(change.lasted()).isPositive();
    assertThat(change.refusal()).isNull();
  }

  @Test
  @DisplayName("F2.7 one call too many is not sent, and is an overload if the check is answered")
  void oneTooMany() throws Exception {
    for (long i = 0; i < ClientNumbers.CALLS_IN_FLIGHT; i++) {
      begun();
    }
    awaitAsked();
    CompletableFuture<Object> last = transport.answer;
    CompletableFuture<Decision> call = begun();
    assertThat(call).isNotDone();
    transport.answers.release(MANY);
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageContaining("too many calls are in flight");
    assertThat(transport.answer).isSameAs(last);
  }

  private static final class ClientTimeoutException extends IllegalStateException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  @DisplayName("F2 a client's own time-out is no outage if the server answers the check")
  void ownTimeout() throws Exception {
    transport.answers.release(MANY);
    CompletableFuture<Decision> call = begun();
    awaitAsked();
    transport.answer.completeExceptionally(new ClientTimeoutException());
    time.pass(DEADLINE);
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageContaining("may have been charged");
  }

  @Test
  @DisplayName("F2 until there is a verdict, a late stage's own answer counts")
  void ownAnswer() throws Exception {
    CompletableFuture<Decision> call = begun();
    awaitAsked();
    time.pass(DEADLINE);
    assertThat(call).isNotDone();
    transport.answer.complete(ALLOWED);
    assertThat(call.get(30, TimeUnit.SECONDS).allowed()).isTrue();
  }

  @Test
  @DisplayName(
      "F2.9 while the check is unanswered, calls open one connection, and another is not sent")
  void opensNoConnection() throws Exception {
    begun();
    awaitAsked();
    transport.opens = true;
    int sent = transport.sent.get() + 1;
    begun();
    assertThat(transport.sent).hasValue(sent);
    CompletableFuture<Decision> call = begun();
    for (int i = 0; i < 100; i++) {
      time.pass(Duration.ofMillis(1));
    }
    assertThat(transport.sent).hasValue(sent);
    transport.answers.release();
    while (transport.sent.get() == sent && !call.isDone()) {
      time.pass(Duration.ofMillis(1));
      LockSupport.parkNanos(100_000);
    }
    transport.answer.complete(ALLOWED);
    assertThat(call.get(30, TimeUnit.SECONDS).allowed()).isTrue();
  }

  @Test
  @DisplayName("F2 a client that was not connected is tried again once a call is answered")
  void notConnected() throws Exception {
    transport.connected = false;
    begun();
    VerdictChange change = changes.poll(30, TimeUnit.SECONDS);
    assertThat(change).extracting(VerdictChange::verdict).isEqualTo(Verdict.SILENT);
    assertThat(transport.opened.drainPermits()).isEqualTo(1);
    time.pass(Duration.ofMillis(1));
    CompletableFuture<Decision> call = begun();
    transport.answer.complete(ALLOWED);
    assertThat(call.get(30, TimeUnit.SECONDS).allowed()).isTrue();
    assertThat(transport.opened.tryAcquire(30, TimeUnit.SECONDS)).as("opened again").isTrue();
  }

  @Test
  @DisplayName("F2 a connection that is cut before its first answer is made anew after a pause")
  void cutAtOnce() throws Exception {
    transport.cuts = true;
    begun();
    awaitAsked();
    Duration passed = Duration.ZERO;
    while (!transport.opened.tryAcquire(2, 10, TimeUnit.MILLISECONDS)) {
      time.pass(Duration.ofMillis(100));
      passed = passed.plusMillis(100);
      begun();
    }
    assertThat(passed).as("half of the back-off of 5 s").isGreaterThan(Duration.ofMillis(2_400));
  }

  @Test
  @DisplayName("F2 without a connection for the check, it is sent through the client")
  void throughClient() throws Exception {
    try (AsyncTransportRateLimiters through =
        limiters(options.toBuilder().verdictConnection(false).build())) {
      begun(through);
      assertThat(transport.peeks.tryAcquire(30, TimeUnit.SECONDS)).as("a peek").isTrue();
      assertThat(transport.asked.availablePermits()).isZero();
    }
  }

  @Test
  @DisplayName("F2.10 a minute without calls is no change of the verdict on a silent server")
  void idle() throws Exception {
    begun();
    awaitAsked();
    for (int i = 0; i < SILENT_STEPS; i++) {
      time.pass(Duration.ofMillis(10));
      LockSupport.parkNanos(100_000);
    }
    assertThat(changes).extracting(VerdictChange::verdict).containsExactly(Verdict.SILENT);
    transport.answers.release(MANY);
    begun();
    awaitAsked();
    changes.poll();
    VerdictChange change = changes.poll(30, TimeUnit.SECONDS);
    assertThat(change).isNotNull();
    assertThat(change.verdict()).isEqualTo(Verdict.UP);
    assertThat(change.before()).isEqualTo(Verdict.SILENT);
    assertThat(change.lasted()).isGreaterThan(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("F2.10 a check that is lost through a silent client leaves the verdict as it is")
  void lostThroughClient() {
    try (AsyncTransportRateLimiters through =
        limiters(options.toBuilder().verdictConnection(false).build())) {
      for (int i = 0; i < SILENT_STEPS; i++) {
        if (i % 100 == 0) {
          begun(through);
        }
        time.pass(Duration.ofMillis(5));
        LockSupport.parkNanos(100_000);
      }
      assertThat(transport.peeks.availablePermits()).as("checks").isGreaterThan(1);
      assertThat(changes).extracting(VerdictChange::verdict).containsExactly(Verdict.SILENT);
    }
  }

  @Test
  @DisplayName("F2 a call that has no time left before there is a client is overloaded")
  void noTimeLeft() {
    AtomicLong nanos = new AtomicLong();
    TimeSource hasty =
        new TimeSource() {
          @Override
          public long nanos() {
            return nanos.addAndGet(DEADLINE.toNanos());
          }

          @Override
          public long wallMillis() {
            return System.currentTimeMillis();
          }
        };
    CountDownLatch release = new CountDownLatch(1);
    try (AsyncTransportRateLimiters starting =
        new AsyncTransportRateLimiters(
            new SuppliedTransport(() -> connected(release), failure -> null),
            options,
            KnownPasswords.none(),
            () -> {},
            hasty)) {
      assertThatThrownBy(() -> begun(starting).get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(OverloadedException.class)
          .hasMessageContaining("no time was left to send the call");
      RateLimiter blocking = starting.limiter("api", FixedWindow.of(5, Duration.ofSeconds(1)));
      assertThatThrownBy(() -> blocking.tryAcquire("u"))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("no time was left to send the call");
    } finally {
      release.countDown();
    }
  }

  @Test
  @DisplayName("F2 a call that begins before there is a client, and then is late, is overloaded")
  void begunBeforeClient() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (AsyncTransportRateLimiters starting =
        new AsyncTransportRateLimiters(
            new SuppliedTransport(() -> connected(release), failure -> null, time),
            options.toBuilder().deadline(LONG).build(),
            KnownPasswords.none(),
            () -> {},
            time)) {
      RateLimiter blocking = starting.limiter("api", FixedWindow.of(5, Duration.ofSeconds(1)));
      CompletableFuture<Decision> stage = begun(starting);
      CompletableFuture<Decision> alone =
          CompletableFuture.supplyAsync(() -> blocking.tryAcquire("u"));
      CompletableFuture<List<Outcome>> batch =
          CompletableFuture.supplyAsync(() -> blocking.tryAcquireAll(List.of("u")));
      // Of a call that begins later, the check is answered.
      transport.answers.release(MANY);
      release.countDown();
      for (int i = 0; i < MOST_STEPS && transport.sent.get() < 3; i++) {
        time.pass(Duration.ofMillis(1));
        LockSupport.parkNanos(100_000);
      }
      time.pass(LONG);
      for (CompletableFuture<Decision> call : List.of(stage, alone)) {
        assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
            .hasCauseInstanceOf(OverloadedException.class)
            .hasMessageContaining("may have been charged");
      }
      assertThat(batch.get(30, TimeUnit.SECONDS).get(0).failure())
          .isInstanceOf(OverloadedException.class);
    }
  }

  @Test
  @DisplayName("F2 limiters that are closed ask nothing more, and report no change of verdict")
  void closed() throws Exception {
    transport.answers.release();
    begun();
    awaitAsked();
    CompletableFuture<Decision> call = begun();
    time.pass(Duration.ofMillis(1));
    limiters.close();
    transport.opened.drainPermits();
    for (int i = 0; i < CLOSED_STEPS && changes.isEmpty(); i++) {
      time.pass(Duration.ofMillis(5));
      LockSupport.parkNanos(100_000);
    }
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OverloadedException.class);
    assertThat(transport.opened.availablePermits()).as("opened again").isZero();
    assertThat(changes).isEmpty();
  }

  @Test
  @DisplayName("F2 while a process that starts connects, a late call is overloaded for 4.2 s")
  void connecting() {
    CountDownLatch release = new CountDownLatch(1);
    try (AsyncTransportRateLimiters starting =
        new AsyncTransportRateLimiters(
            new SuppliedTransport(() -> connected(release), failure -> null, time),
            options,
            KnownPasswords.none(),
            () -> {},
            time)) {
      CompletableFuture<Decision> first = begun(starting);
      time.pass(DEADLINE);
      assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(OverloadedException.class)
          .hasMessageContaining("the first connection is being made");
      time.pass(Duration.ofMillis(3_200));
      CompletableFuture<Decision> later = begun(starting);
      time.pass(DEADLINE);
      assertThatThrownBy(() -> later.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(NoDecisionException.class)
          .hasMessageContaining("has not been made for 4.2 s");
    } finally {
      release.countDown();
    }
  }

  private ClientTransport connected(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ClientTransport.of(transport, () -> true);
  }

  private CompletableFuture<Decision> begun() {
    return begun(limiters);
  }

  private static CompletableFuture<Decision> begun(AsyncTransportRateLimiters limiters) {
    return limiters
        .asyncLimiter("api", FixedWindow.of(5, Duration.ofSeconds(1)))
        .tryAcquire("u")
        .toCompletableFuture();
  }

  private void awaitAsked() throws InterruptedException {
    assertThat(transport.asked.tryAcquire(30, TimeUnit.SECONDS)).as("asked").isTrue();
  }
}
