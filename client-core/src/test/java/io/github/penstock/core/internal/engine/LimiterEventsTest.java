package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.engine.RecordedTransport.ServerError;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** News that limiters tell listeners, and the log. */
class LimiterEventsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Limit LIMIT = FixedWindow.of(5, Duration.ofSeconds(1));
  private static final List<Long> ALLOWED = List.of(1L, 5L, 4L, 0L, 1_000_000L, 1L);
  private static final List<Long> DENIED = List.of(0L, 5L, 0L, 50_000L, 1_000_000L, 1L);
  private static final Logger LOG = Logger.getLogger("io.github.penstock");
  private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
  private final RecordedTransport transport = new RecordedTransport();
  private final List<String> heard = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord message) {
          logged.add(message);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final RateLimitListener listener =
      new RateLimitListener() {
        @Override
        public void onDecision(LimiterCall call, AcquiredUnits acquired, RuntimeException cause) {
          heard.add(words(call) + acquired.units() + (cause == null ? "" : " without"));
        }

        @Override
        public void onUsage(LimiterCall call, Usage usage) {
          heard.add(words(call) + usage.remaining());
        }

        @Override
        public void onFailure(LimiterCall call, RuntimeException failure) {
          heard.add(words(call) + failure.getClass().getSimpleName());
        }
      };

  private static String words(LimiterCall call) {
    assertThat(call.latency()).isGreaterThanOrEqualTo(Duration.ZERO);
    return call.policy() + " " + call.kind() + " " + call.subject() + " " + call.units() + ": ";
  }

  @BeforeEach
  void listen() {
    LOG.addHandler(handler);
    LOG.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    LOG.removeHandler(handler);
    LOG.setUseParentHandlers(true);
  }

  @Test
  @DisplayName("a listener hears of every call: policy, kind, subject, units and outcome")
  void everyCall() {
    RateLimiter api = limiter(options().listener(listener).build());
    transport.answers(ALLOWED, DENIED, List.of(3L, 5L, 0L, 0L, 9L, 1L), ALLOWED, ALLOWED, ALLOWED);
    transport.answers(ALLOWED, new ServerError("LOADING no"), new ServerError("LOADING no"));
    api.tryAcquire("a", 2);
    api.tryAcquire("b");
    api.tryAcquireUpTo("c", 64);
    api.tryAcquireEach(List.of(new SubjectCost("d", 7), new SubjectCost("e", 8)));
    api.peek("f");
    api.refund("g", 9);
    assertThatThrownBy(() -> api.tryAcquire("h")).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> api.peek("i")).isInstanceOf(RuntimeException.class);
    assertThat(heard)
        .containsExactly(
            "api ACQUIRE a 2: 2",
            "api ACQUIRE b 1: 0",
            "api ACQUIRE_UP_TO c 64: 3",
            "api ACQUIRE d 7: 7",
            "api ACQUIRE e 8: 8",
            "api PEEK f 0: 4",
            "api REFUND g 9: 4",
            "api ACQUIRE h 1: NoDecisionException",
            "api PEEK i 0: NoDecisionException");
  }

  @Test
  @DisplayName("decisions without the server are told with their cause; up to max is all or none")
  void withoutTheServer() {
    RateLimiterOptions.Builder listened = options().listener(listener);
    transport.answers(new ServerError("LOADING no"), new ServerError("LOADING no"));
    limiter(listened.onUnavailable(OnUnavailable.ALLOW).build()).tryAcquireUpTo("a", 64);
    limiter(listened.onUnavailable(OnUnavailable.DENY).build()).tryAcquire("b", 3);
    assertThat(heard)
        .containsExactly("api ACQUIRE_UP_TO a 64: 64 without", "api ACQUIRE b 3: 0 without");
  }

  @Test
  @DisplayName(
      "of 10,000 exceptions of a listener one is logged, and the next listener gets every call")
  void brokenListener() {
    RateLimitListener broken =
        (call, acquired, cause) -> {
          throw new NoClassDefFoundError("metrics");
        };
    RateLimiter api = limiter(options().listener(broken).listener(listener).build());
    for (int i = 0; i < 100; i++) {
      Collections.nCopies(100, ALLOWED).forEach(transport::answers);
      assertThat(api.tryAcquireAll(Collections.nCopies(100, "u")))
          .allMatch(outcome -> outcome.decision().allowed());
    }
    assertThat(heard).hasSize(10_000);
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getThrown()).isInstanceOf(NoClassDefFoundError.class);
    assertThat(logged.get(0).getMessage()).contains("a listener threw an exception: ");
  }

  @Test
  @DisplayName("calls without the server are told once, and once that it decides again")
  void onceAState() {
    RateLimiter api = limiter(options().onUnavailable(OnUnavailable.ALLOW).build());
    transport.answers(ALLOWED);
    api.tryAcquire("u");
    for (int i = 0; i < 1_000; i++) {
      transport.answers(new ServerError("LOADING no"));
      assertThat(api.tryAcquire("u").enforced()).isFalse();
    }
    transport.answers(ALLOWED);
    api.tryAcquire("u");
    transport.time().pass(SECOND);
    transport.answers(ALLOWED, ALLOWED);
    api.tryAcquire("u");
    api.tryAcquire("u");
    assertThat(logged).extracting(LogRecord::getLevel).containsExactly(Level.WARNING, Level.INFO);
    assertThat(logged.get(0).getMessage())
        .startsWith("calls are allowed without the server, until it can be asked again: ")
        .contains(": policy api, key penstock:api:{u}:w1000000: ", "LOADING no");
    assertThat(logged.get(0).getThrown()).isNull();
  }

  @Test
  @DisplayName("after the first decision nothing is logged for calls that throw")
  void throwing() {
    transport.answers(ALLOWED, new ServerError("LOADING no"));
    RateLimiter api = limiter(options().build());
    api.tryAcquire("u");
    assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(RuntimeException.class);
    assertThat(logged).isEmpty();
  }

  @Test
  @DisplayName("what keeps limiters from their first decision is logged with its cause, and once")
  void undecided() {
    RateLimiter api = limiter(options().onUnavailable(OnUnavailable.ALLOW).build());
    for (int i = 0; i < 1_000; i++) {
      transport.answers(new ServerError("WRONGPASS invalid username-password pair"));
      assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(MisconfiguredException.class);
    }
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(logged.get(0).getMessage())
        .startsWith("the server has not decided any call so far: policy api, ")
        .endsWith("WRONGPASS invalid username-password pair");
  }

  @Test
  @DisplayName("a connection that is still being made is no news at first; what it fails with is")
  void connecting() {
    CompletableFuture<ClientTransport> client = new CompletableFuture<>();
    RateLimiterOptions hurried =
        options().onUnavailable(OnUnavailable.ALLOW).deadline(SECOND).build();
    TimeSource time = transport.time();
    SuppliedTransport supplied = new SuppliedTransport(client::join, transport::failure, time);
    RateLimiter api =
        new TransportRateLimiters(supplied, hurried, KnownPasswords.none(), () -> {}, time)
            .limiter("api", LIMIT);
    api.tryAcquire("u");
    assertThat(logged).extracting(LogRecord::getMessage).noneMatch(LimiterEventsTest::isNoDecision);
    client.completeExceptionally(new ServerError("LOADING no"));
    ScriptCall call =
        new ScriptCall(
            Verb.EVALSHA, LuaScript.FIXED_WINDOW, new byte[] {'k'}, null, new byte[0][], 0, time);
    while (!catchThrowableOfType(NotSentException.class, () -> supplied.send(call))
        .reason()
        .getMessage()
        .contains("LOADING no")) {
      Thread.onSpinWait();
    }
    api.tryAcquire("u");
    assertThat(logged).extracting(LogRecord::getMessage).anyMatch(LimiterEventsTest::isNoDecision);
    assertThat(logged.get(logged.size() - 1).getMessage()).contains("LOADING no");
  }

  @Test
  @DisplayName("until the first decision calls throw, if the options say so")
  void throwUntilFirstDecision() {
    RateLimiter api =
        limiter(options().onUnavailable(OnUnavailable.ALLOW).throwUntilFirstDecision(true).build());
    transport.answers(new ServerError("LOADING no"), new ServerError("OOM no"), ALLOWED);
    transport.answers(new ServerError("LOADING no"));
    assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(NoDecisionException.class);
    assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(OverloadedException.class);
    assertThat(api.tryAcquire("u").enforced()).isTrue();
    assertThat(api.tryAcquire("u").source()).isEqualTo(DecisionSource.UNAVAILABLE);
  }

  @Test
  @DisplayName("overloads end as onOverload says, whatever onUnavailable says, and are logged once")
  void overloaded() {
    RateLimiterOptions.Builder listened =
        options().listener(listener).onUnavailable(OnUnavailable.ALLOW);
    RateLimiter api = limiter(listened.build());
    transport.answers(ALLOWED);
    api.tryAcquire("a");
    for (int i = 0; i < 1_000; i++) {
      transport.answers(new ServerError("OOM no"));
      Decision decision = api.tryAcquire("b");
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.enforced()).isFalse();
      assertThat(decision.source()).isEqualTo(DecisionSource.OVERLOADED);
    }
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getMessage())
        .startsWith("overloaded; calls that were denied since the last report: 1; policy api, ")
        .endsWith("OOM no");
    assertThat(heard).contains("api ACQUIRE b 1: 0 without");
    transport.answers(new ServerError("OOM no"), new ServerError("OOM no"));
    assertThat(limiter(listened.onOverload(OnOverload.ALLOW).build()).tryAcquire("b").allowed())
        .isTrue();
    RateLimiter throwing = limiter(listened.onOverload(OnOverload.THROW).build());
    assertThatThrownBy(() -> throwing.tryAcquire("b")).isInstanceOf(OverloadedException.class);
  }

  @Test
  @DisplayName("an answer that cannot be read is published as a failure")
  void unreadable() {
    RateLimiter api = limiter(options().listener(listener).build());
    transport.answers(List.of(1L), "QUEUED", List.of("QUEUED".getBytes(StandardCharsets.US_ASCII)));
    assertThatThrownBy(() -> api.tryAcquire("a")).isInstanceOf(UnreadableReplyException.class);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> api.tryAcquire("b"))
          .isInstanceOf(MisconfiguredException.class)
          .hasMessageContaining("MULTI");
    }
    assertThat(heard)
        .containsExactly(
            "api ACQUIRE a 1: UnreadableReplyException",
            "api ACQUIRE b 1: MisconfiguredException",
            "api ACQUIRE b 1: MisconfiguredException");
  }

  private static boolean isNoDecision(String message) {
    return message.startsWith("the server has not decided any call so far: ");
  }

  private static RateLimiterOptions.Builder options() {
    return RateLimiterOptions.builder();
  }

  private RateLimiter limiter(RateLimiterOptions options) {
    return transport.limiters(options).limiter("api", LIMIT);
  }
}
