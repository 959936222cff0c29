package io.github.penstock.core.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A named limit: makes its calls, and reads what became of them. Everything that does not depend on
 * the subject is worked out once. Immutable, safe for use by several threads.
 */
final class LimitPolicy {
  private static final byte[] ONE = {'1'};
  private static final byte[] ZERO = {'0'};

  private final String name;
  private final Limit limit;
  private final LuaScript script;
  private final KeyFormat keys;
  private final byte[][] tiers;
  private final long firstLimit;
  private final Verb charge;
  private final Verb peek;
  private final long deadlineNanos;
  private final OnUnavailable onUnavailable;
  private final @Nullable RateLimitListener listener;

  /**
   * The policy {@code name} under {@code limit}.
   *
   * @throws IllegalArgumentException if the name is none
   */
  LimitPolicy(String name, Limit limit, RateLimiterOptions options) {
    LimitEncoding encoding = LimitEncoding.of(limit);
    this.name = name;
    this.limit = limit;
    script = encoding.script();
    keys = new KeyFormat(options.keyPrefix(name), encoding.marker());
    tiers = encoding.arguments().stream().map(LimitPolicy::ascii).toArray(byte[][]::new);
    firstLimit = Long.parseLong(encoding.arguments().get(0));
    charge = options.functions() ? Verb.FCALL : Verb.EVALSHA;
    Verb onReplica = options.functions() ? Verb.FCALL_RO : Verb.EVALSHA_RO;
    peek = options.peekOnReplicas() ? onReplica : charge;
    deadlineNanos = options.deadline().toNanos();
    onUnavailable = options.onUnavailable();
    listener = options.listener();
  }

  String name() {
    return name;
  }

  Limit limit() {
    return limit;
  }

  ScriptCall charge(String subject, long cost) {
    checkUnits("cost", cost);
    return call(charge, subject, cost == 1 ? ONE : ascii(Long.toString(cost)), deadline());
  }

  ScriptCall charge(String subject, long cost, long deadline) {
    return call(charge, subject, cost == 1 ? ONE : ascii(Long.toString(cost)), deadline);
  }

  ScriptCall chargeUpTo(String subject, long max) {
    checkUnits("max", max);
    return call(charge, subject, ascii("1*" + max), deadline());
  }

  ScriptCall peek(String subject) {
    return call(peek, subject, ZERO, deadline());
  }

  ScriptCall refund(String subject, long units) {
    checkUnits("units", units);
    return call(charge, subject, ascii(Long.toString(-units)), deadline());
  }

  long deadline() {
    return System.nanoTime() + deadlineNanos;
  }

  /** How decisions are read. */
  ReplyReader<Decision> decisions() {
    return new Decisions();
  }

  /** How it is read how many of {@code max} units were taken. */
  ReplyReader<AcquiredUnits> acquired(long max) {
    return new Acquisitions(max);
  }

  /** How peeks and refunds are read. */
  ReplyReader<Usage> usages() {
    return new Usages();
  }

  private ScriptCall call(Verb verb, String subject, byte[] cost, long deadline) {
    return new ScriptCall(verb, script, keys.key(subject), cost, tiers, deadline);
  }

  /** Policy and limit in words, such as {@code api: token-bucket(100 at 10 per PT1S)}. */
  @Override
  public String toString() {
    return name + ": " + limit;
  }

  private static void checkUnits(String parameter, long units) {
    if (units < 1 || units > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          parameter + " must be from 1 to " + Limit.MAX_UNITS + ": " + units);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private final class Decisions implements ReplyReader<Decision> {
    @Override
    public Decision answered(ScriptCall call, @Nullable Object reply) {
      Decision decision = ReplyDecoder.decision(script, reply);
      tellDecision(call, decision, null);
      return decision;
    }

    @Override
    public Decision failed(ScriptCall call, CallFailure failure) {
      if (!failure.unavailable() || onUnavailable == OnUnavailable.THROW) {
        tellFailure(call, failure.exception());
        throw failure.exception();
      }
      boolean allowed = onUnavailable == OnUnavailable.ALLOW;
      long waitMicros = allowed ? 0 : TimeUnit.NANOSECONDS.toMicros(deadlineNanos);
      Decision decision =
          new Decision(allowed, firstLimit, 0, waitMicros, 0, 1, DecisionSource.UNAVAILABLE);
      tellDecision(call, decision, failure.exception());
      return decision;
    }
  }

  private final class Acquisitions implements ReplyReader<AcquiredUnits> {
    private final long max;

    Acquisitions(long max) {
      this.max = max;
    }

    @Override
    public AcquiredUnits answered(ScriptCall call, @Nullable Object reply) {
      AcquiredUnits acquired = ReplyDecoder.acquired(script, reply, max);
      tellDecision(call, acquired.decision(), null);
      return acquired;
    }

    @Override
    public AcquiredUnits failed(ScriptCall call, CallFailure failure) {
      Decision decision = new Decisions().failed(call, failure);
      return new AcquiredUnits(decision.allowed() ? max : 0, decision);
    }
  }

  private final class Usages implements ReplyReader<Usage> {
    @Override
    public Usage answered(ScriptCall call, @Nullable Object reply) {
      return ReplyDecoder.usage(script, reply);
    }

    @Override
    public Usage failed(ScriptCall call, CallFailure failure) {
      throw failure.exception();
    }
  }

  private void tellDecision(ScriptCall call, Decision decision, @Nullable RuntimeException cause) {
    if (listener != null) {
      tell(() -> listener.onDecision(name, decision, latency(call), cause));
    }
  }

  private void tellFailure(ScriptCall call, RuntimeException failure) {
    if (listener != null) {
      tell(() -> listener.onFailure(name, failure, latency(call)));
    }
  }

  /* An Error, too: on the way out of an asynchronous call it would leave its caller waiting. */
  private static void tell(Runnable news) {
    try {
      news.run();
    } catch (Throwable e) {
      UncaughtFailures.tell(e);
    }
  }

  private Duration latency(ScriptCall call) {
    return Duration.ofNanos(deadlineNanos - call.remainingNanos());
  }
}
