package io.github.penstock.core.internal.engine;

import static io.github.penstock.core.internal.engine.RecordedTransport.NOSCRIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.internal.engine.RecordedTransport.ServerError;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BlockingRateLimiterTest {
  private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
  private static final List<Long> DENIED = List.of(0L, 100L, 0L, 50_000L, 10_000_000L, 1L);
  private static final String KEY = " token-bucket penstock:api:{u}:b100.10.1000000";
  private final RecordedTransport transport = new RecordedTransport();
  private static final Limit LIMIT = TokenBucket.of(100).refill(10, Duration.ofSeconds(1));
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(Duration.ofMinutes(1)).build();

  @Test
  @DisplayName("one call, one answer")
  void decides() {
    transport.answers(ALLOWED, DENIED);
    RateLimiter limiter = limiter(options);
    assertThat(limiter.tryAcquire("u"))
        .isEqualTo(new Decision(true, 100, 99, 0, 100_000, 1, DecisionSource.SERVER));
    assertThat(limiter.tryAcquire("u", 7).retryAfter()).isEqualTo(Duration.ofMillis(50));
    assertThat(transport.sent()).containsExactly("EVALSHA" + KEY, "EVALSHA" + KEY);
  }

  @Test
  @DisplayName("NOSCRIPT is answered by EVAL, once")
  void healsNoScript() {
    transport.answers(new ServerError(NOSCRIPT), ALLOWED);
    assertThat(limiter(options).tryAcquire("u").allowed()).isTrue();
    assertThat(transport.sent()).containsExactly("EVALSHA" + KEY, "EVAL" + KEY);
    ServerError again = new ServerError(NOSCRIPT);
    transport.answers(new ServerError(NOSCRIPT), again);
    assertThatThrownBy(() -> limiter(options).tryAcquire("u")).hasCause(again);
  }

  @Test
  @DisplayName("an attempt without a connection that took too long is the last; each verb counts")
  void slowAttempt() {
    NotSentException lost = NotSentException.notConnected(new IllegalStateException("refused"));
    transport.answersWhenLeft(Duration.ofSeconds(25));
    transport.answers(lost, ALLOWED);
    assertThatThrownBy(() -> limiter(options).tryAcquire("u"))
        .isInstanceOf(NoDecisionException.class);
    assertThat(limiter(options).tryAcquire("u").allowed()).isTrue();
    transport.answers(new ServerError(NOSCRIPT), lost, ALLOWED);
    assertThat(limiter(options).tryAcquire("u").allowed()).isTrue();
  }

  @Test
  @DisplayName("nothing else is sent again")
  void sendsOnce() {
    IllegalStateException lost = new IllegalStateException("connection reset");
    transport.answers(lost);
    assertThatThrownBy(() -> limiter(options).tryAcquire("u"))
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasCause(lost);
    ServerError loading = new ServerError("LOADING Redis is loading the dataset in memory");
    transport.answers(loading);
    assertThatThrownBy(() -> limiter(options).refund("u", 1)).hasCause(loading);
    assertThat(transport.sent()).hasSize(2);
  }

  @Test
  @DisplayName("peeks by the same script, or by the read-only command where replicas may answer")
  void peeks() {
    transport.answers(ALLOWED, new ServerError(NOSCRIPT), ALLOWED, ALLOWED, ALLOWED);
    assertThat(limiter(options).peek("u").remaining()).isEqualTo(99);
    limiter(options.toBuilder().peekOnReplicas(true).build()).peek("u");
    limiter(options.toBuilder().functions(true).build()).peek("u");
    limiter(options.toBuilder().functions(true).peekOnReplicas(true).build()).peek("u");
    assertThat(transport.sent())
        .containsExactly(
            "EVALSHA" + KEY, "EVALSHA_RO" + KEY, "EVAL_RO" + KEY, "FCALL" + KEY, "FCALL_RO" + KEY);
  }

  @Test
  @DisplayName("costs and units are 1 to 10^12, and are checked before anything is sent")
  void bounds() {
    RateLimiter limiter = limiter(options);
    String rule = " must be from 1 to 1000000000000: ";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.tryAcquire("u", 0))
        .withMessage("cost" + rule + 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.refund("u", 1_000_000_000_001L))
        .withMessage("units" + rule + 1_000_000_000_001L);
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(""));
    assertThat(transport.sent()).isEmpty();
  }

  @Test
  @DisplayName("anything but six integers is unreadable, and says what came")
  void unreadable() {
    for (Object reply :
        List.of(
            "OK",
            List.of(1L, 2L),
            List.of(1L, 100L, 99L, 0L, 0L, "1"),
            List.of(2L, 100L, 99L, 0L, 0L, 1L),
            List.of(1L, 100L, -1L, 0L, 0L, 1L))) {
      transport.answers(reply);
      assertThatThrownBy(
              () ->
                  limiter(options.toBuilder().onUnavailable(OnUnavailable.ALLOW).build())
                      .tryAcquire("u"))
          .isInstanceOf(UnreadableReplyException.class)
          .hasMessage(
              "token-bucket of " + KEY.split(" ")[2] + " must answer six integers, not " + reply);
    }
  }

  @Test
  @DisplayName("a batch is in order, heals only what did not run, and one failure spoils no other")
  void batch() {
    IllegalStateException lost = new IllegalStateException("lost");
    transport.answers(
        ALLOWED, new ServerError(NOSCRIPT), lost, new ServerError(NOSCRIPT), ALLOWED, DENIED);
    List<Outcome> outcomes = limiter(options).tryAcquireAll(Arrays.asList("a", "b", "", "c", "d"));
    assertThat(outcomes).extracting(Outcome::subject).containsExactly("a", "b", "", "c", "d");
    assertThat(outcomes.get(0).decision().allowed()).isTrue();
    assertThat(outcomes.get(1).decision().allowed()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(outcomes.get(2)::decision);
    assertThat(outcomes.get(3))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(MayHaveBeenChargedException.class));
    assertThat(outcomes.get(4).decision().allowed()).isFalse();
    assertThat(transport.sent())
        .hasSize(6)
        .last()
        .asString()
        .startsWith("EVAL token-bucket penstock:api:{d}");
    assertThat(limiter(options).tryAcquireAll(List.of())).isEmpty();
  }

  @Test
  @DisplayName("as many units as there are: how many, and the decision about them")
  void upTo() {
    transport.answers(
        List.of(3L, 100L, 0L, 0L, 9L, 1L), List.of(64L, 100L, 36L, 0L, 9L, 1L), DENIED);
    AcquiredUnits three = limiter(options).tryAcquireUpTo("u", 64);
    assertThat(three)
        .isEqualTo(
            new AcquiredUnits(3, new Decision(true, 100, 0, 0, 9, 1, DecisionSource.SERVER)));
    assertThat(limiter(options).tryAcquireUpTo("u", 64).units()).isEqualTo(64);
    AcquiredUnits none = limiter(options).tryAcquireUpTo("u", 1);
    assertThat(none.units()).isZero();
    assertThat(none.decision().retryAfter()).isEqualTo(Duration.ofMillis(50));
    assertThat(transport.costs()).containsExactly("1*64", "1*64", "1*1");
    for (long wrong : new long[] {0, -1, 1_000_000_000_001L}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> limiter(options).tryAcquireUpTo("u", wrong))
          .withMessage("max must be from 1 to 1000000000000: " + wrong);
    }
    transport.answers(List.of(3L, 100L, 0L, 0L, 9L, 1L), List.of(-1L, 100L, 0L, 0L, 9L, 1L));
    assertThatThrownBy(() -> limiter(options).tryAcquireUpTo("u", 2))
        .isInstanceOf(UnreadableReplyException.class);
    assertThatThrownBy(() -> limiter(options).tryAcquireUpTo("u", 2))
        .isInstanceOf(UnreadableReplyException.class);
  }

  @Test
  @DisplayName("NOSCRIPT that comes too late to send the script opens no limit")
  void noScriptTooLate() {
    transport.answersWhenLeft(Duration.ZERO);
    ServerError late = new ServerError(NOSCRIPT);
    transport.answers(late, late, late);
    RateLimiter limiter = limiter(options.toBuilder().onUnavailable(OnUnavailable.ALLOW).build());
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.OVERLOADED);
    assertThat(limiter.tryAcquireAll(List.of("u", "v")))
        .extracting(outcome -> outcome.decision().source())
        .containsOnly(DecisionSource.OVERLOADED);
    assertThat(transport.sent()).hasSize(3);
  }

  @Test
  @DisplayName("an attempt that had no time hides none before it that nobody understands")
  void notUnderstoodBefore() {
    IllegalArgumentException port = new IllegalArgumentException("port out of range:70000");
    NotSentException first =
        NotSentException.notConnected(new IllegalStateException("not connected", port));
    NotSentException last = new NotSentException(new IllegalStateException("no time"));
    RateLimiter limiter = limiter(options.toBuilder().onUnavailable(OnUnavailable.ALLOW).build());
    transport.answers(first, last, first, last);
    assertThatThrownBy(() -> limiter.tryAcquire("u")).hasMessageContaining(port.getMessage());
    assertThat(limiter.tryAcquireAll(List.of("u")))
        .singleElement()
        .satisfies(
            outcome ->
                assertThatThrownBy(outcome::decision).hasMessageContaining(port.getMessage()));
  }

  @Test
  @DisplayName("a batch has at most 10,000 calls; of more, none is sent")
  void batchBound() {
    transport.answers(Collections.nCopies(10_000, ALLOWED).toArray());
    RateLimiter limiter = limiter(options);
    List<String> subjects = Collections.nCopies(10_001, "u");
    List<SubjectCost> each = Collections.nCopies(10_001, new SubjectCost("u", 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.tryAcquireAll(subjects))
        .withMessage("subjects: a batch has at most 10,000 calls, not 10,001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.tryAcquireEach(each))
        .withMessage("calls: a batch has at most 10,000 calls, not 10,001");
    assertThat(transport.sent()).isEmpty();
    assertThat(limiter.tryAcquireAll(subjects.subList(1, 10_001))).hasSize(10_000);
    assertThat(transport.sent()).hasSize(10_000);
  }

  @Test
  @DisplayName("a batch has a cost each, and may name a subject twice")
  void batchOfCosts() {
    transport.answers(ALLOWED, DENIED, ALLOWED);
    List<Outcome> outcomes =
        limiter(options)
            .tryAcquireEach(
                List.of(
                    new SubjectCost("a", 7),
                    new SubjectCost("", 1),
                    new SubjectCost("b", 1_000_000_000_000L),
                    new SubjectCost("a", 1)));
    assertThat(outcomes).extracting(Outcome::subject).containsExactly("a", "", "b", "a");
    assertThat(outcomes.get(0).decision().allowed()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(outcomes.get(1)::decision);
    assertThat(outcomes.get(2).decision().allowed()).isFalse();
    assertThat(transport.costs()).containsExactly("7", "1000000000000", "1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SubjectCost("a", 0))
        .withMessage("cost must be from 1 to 1000000000000: 0");
  }

  @Test
  @DisplayName("any call falls back to its source; functions are loaded as the bundle has them")
  void scripts() {
    transport.answers(
        new ServerError(NOSCRIPT), ALLOWED, new ServerError("ERR Function not found"));
    CallDriver<Object, Object> driver =
        new BlockingCalls(transport, TimeSource.SYSTEM, RecordedTransport.classifier(transport))
            .driver();
    ReplyReader<Object> reader = ReplyReader.ofOutcome(false);
    assertThat(driver.send(any(Verb.EVALSHA), reader)).isEqualTo(ALLOWED);
    assertThat(transport.sent())
        .containsExactly("EVALSHA fixed-window any", "EVAL fixed-window any");
    CallFailure unknown = (CallFailure) driver.send(any(Verb.FCALL), reader);
    assertThat(unknown.exception(null)).hasMessageContaining("penstock_1_fixed_window");
    new TransportRateLimiters(transport, options, () -> {}).loadFunctions();
    assertThat(transport.libraries()).containsExactly(FunctionsLibrary.SOURCE);
  }

  private static ScriptCall any(Verb verb) {
    byte[] key = "any".getBytes(StandardCharsets.US_ASCII);
    byte[][] arguments = {{'1'}};
    long deadline = TimeSource.SYSTEM.nanos() + Duration.ofMinutes(1).toNanos();
    return new ScriptCall(
        verb, LuaScript.FIXED_WINDOW, key, null, arguments, deadline, TimeSource.SYSTEM);
  }

  @Test
  @DisplayName("a limiter tells its policy and its limit; closing closes what was opened")
  void properties() {
    RateLimiter limiter = limiter(options);
    assertThat(limiter.policy()).isEqualTo("api");
    assertThat(limiter.limit()).isEqualTo(LIMIT);
    assertThat(limiter).hasToString("api: token-bucket:10/1s,burst=100");
    AtomicInteger closed = new AtomicInteger();
    new TransportRateLimiters(transport, options, closed::incrementAndGet).close();
    assertThat(closed).hasValue(1);
    assertThat(new TransportRateLimiters(transport, options, () -> {}))
        .hasToString("TransportRateLimiters[" + options + "]");
  }

  private RateLimiter limiter(RateLimiterOptions options) {
    return transport.limiters(options).limiter("api", LIMIT);
  }
}
