package io.github.penstock.core.internal.plan;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A named limit, which makes its calls. Everything that does not depend on the subject is worked
 * out once. Immutable, safe for use by several threads.
 */
public final class LimitPolicy {
  private static final byte[] ONE = {'1'};
  private static final byte[] ZERO = {'0'};

  private final String name;
  private final Limit limit;
  private final LuaScript script;
  private final KeyFormat keys;
  private final byte[][] tiers;
  private final Verb charge;
  private final Verb peek;
  private final long deadlineNanos;
  private final TimeSource time;
  private final AtomicBoolean closed;

  /**
   * The policy {@code name} under {@code limit}.
   *
   * @param time the clock of its deadlines
   * @param closed whether its limiters are closed, so that calls are refused
   * @throws IllegalArgumentException if the name is invalid
   */
  public LimitPolicy(
      String name, Limit limit, RateLimiterOptions options, TimeSource time, AtomicBoolean closed) {
    LimitEncoding encoding = LimitEncoding.of(Objects.requireNonNull(limit, "limit"));
    this.name = name;
    this.limit = limit;
    script = encoding.script();
    keys = new KeyFormat(options.keyPrefix(name), encoding.marker());
    tiers = encoding.arguments().stream().map(LimitPolicy::ascii).toArray(byte[][]::new);
    charge = options.functions() ? Verb.FCALL : Verb.EVALSHA;
    Verb onReplica = options.functions() ? Verb.FCALL_RO : Verb.EVALSHA_RO;
    peek = options.peekOnReplicas() ? onReplica : charge;
    deadlineNanos = options.deadline().toNanos();
    this.time = time;
    this.closed = closed;
  }

  public String name() {
    return name;
  }

  public Limit limit() {
    return limit;
  }

  public ScriptCall charge(String subject, long cost) {
    checkUnits("cost", cost);
    return charge(subject, cost, deadline());
  }

  public ScriptCall charge(String subject, long cost, long deadline) {
    return call(charge, subject, cost == 1 ? ONE : ascii(Long.toString(cost)), deadline);
  }

  public ScriptCall chargeUpTo(String subject, long max) {
    checkUnits("max", max);
    return call(charge, subject, ascii("1*" + max), deadline());
  }

  /** A unit, which requires write permission; for the start of a service. */
  public ScriptCall probe(String subject, long deadline) {
    return charge(subject, 1, Math.min(deadline, deadline()));
  }

  public ScriptCall peek(String subject) {
    return call(peek, subject, ZERO, deadline());
  }

  public ScriptCall refund(String subject, long units) {
    checkUnits("units", units);
    return call(charge, subject, ascii(Long.toString(-units)), deadline());
  }

  /** The cost of a call, negative for a refund; of several calls that of one. */
  public static long cost(ScriptCall call) {
    String text = new String(call.argument(0), StandardCharsets.US_ASCII);
    int several = text.indexOf('*');
    return Long.parseLong(several < 0 ? text : text.substring(0, several));
  }

  /** Returns whether a refund gives back at least the limit's units, so that none is used. */
  public boolean isReset(ScriptCall refund) {
    return -cost(refund) >= limit.tiers().get(0).capacity();
  }

  /** How long a call may take, in nanoseconds. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** The end of a call that begins now. */
  public long deadline() {
    return time.nanos() + deadlineNanos;
  }

  public byte[] key(String subject) {
    return keys.key(subject);
  }

  /** The key at which a call for units waits. Throws if the call itself is invalid. */
  public String waitingKey(String subject, long cost) {
    return new String(charge(subject, cost).key(), StandardCharsets.UTF_8);
  }

  private ScriptCall call(Verb verb, String subject, byte[] cost, long deadline) {
    checkOpen();
    return new ScriptCall(verb, script, keys.key(subject), cost, tiers, deadline, time);
  }

  /** Throws an IllegalStateException once the limiters are closed. */
  public void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("policy " + name + ": its limiters are closed");
    }
  }

  /**
   * Throws unless the limiters are open, and a batch has at most 10,000 calls.
   *
   * @param parameter the caller's name for {@code batch}
   */
  public void checkBatch(String parameter, Collection<?> batch) {
    checkOpen();
    if (batch.size() > ClientNumbers.BATCH_CALLS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: a batch has at most %,d calls, not %,d",
              parameter,
              ClientNumbers.BATCH_CALLS,
              batch.size()));
    }
    String one = "one of " + parameter;
    batch.forEach(each -> Objects.requireNonNull(each, one));
  }

  /** Policy and limit in words, such as {@code api: token-bucket:10/1s,burst=100}. */
  @Override
  public String toString() {
    return name + ": " + limit;
  }

  /** Throws an IllegalArgumentException unless the units are 1 to 10^12. */
  public static void checkUnits(String parameter, long units) {
    if (units < 1 || units > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          parameter + " must be from 1 to " + Limit.MAX_UNITS + ": " + units);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
