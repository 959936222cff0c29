package io.github.penstock.core.engine;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A named limit, which makes its calls. Everything that does not depend on the subject is worked
 * out once. Immutable, safe for use by several threads.
 */
final class LimitPolicy {
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
  private final AtomicBoolean closed;

  /**
   * The policy {@code name} under {@code limit}.
   *
   * @param closed whether its limiters are, and nothing can be called any more
   * @throws IllegalArgumentException if the name is invalid
   */
  LimitPolicy(String name, Limit limit, RateLimiterOptions options, AtomicBoolean closed) {
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
    this.closed = closed;
  }

  String name() {
    return name;
  }

  Limit limit() {
    return limit;
  }

  ScriptCall charge(String subject, long cost) {
    checkUnits("cost", cost);
    return charge(subject, cost, deadline());
  }

  ScriptCall charge(String subject, long cost, long deadline) {
    return call(charge, subject, cost == 1 ? ONE : ascii(Long.toString(cost)), deadline);
  }

  /** Asks for as many calls of a cost as there is room for, instead of {@code one}. */
  ScriptCall chargeSeveral(ScriptCall one, long cost, long calls) {
    return new ScriptCall(
        charge, script, one.key(), ascii(cost + "*" + calls), tiers, one.deadlineNanos());
  }

  ScriptCall chargeUpTo(String subject, long max) {
    checkUnits("max", max);
    return call(charge, subject, ascii("1*" + max), deadline());
  }

  /** A unit, as only who may write can have it; for the start of a service. */
  ScriptCall probe(String subject, long deadline) {
    return charge(subject, 1, Math.min(deadline, deadline()));
  }

  ScriptCall peek(String subject) {
    return call(peek, subject, ZERO, deadline());
  }

  ScriptCall refund(String subject, long units) {
    checkUnits("units", units);
    return call(charge, subject, ascii(Long.toString(-units)), deadline());
  }

  /** The cost of a call, negative for a refund; of several calls that of one. */
  static long cost(ScriptCall call) {
    String text = new String(call.argument(0), StandardCharsets.US_ASCII);
    int several = text.indexOf('*');
    return Long.parseLong(several < 0 ? text : text.substring(0, several));
  }

  /** Returns whether a refund gives back at least the limit's units, so that none is used. */
  boolean isReset(ScriptCall refund) {
    return -cost(refund) >= limit.tiers().get(0).capacity();
  }

  /** How long a call may take, in nanoseconds. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** The end of a call that begins now. */
  long deadline() {
    return System.nanoTime() + deadlineNanos;
  }

  byte[] key(String subject) {
    return keys.key(subject);
  }

  /** The key at which a call for units waits. Throws if the call itself is invalid. */
  String waitingKey(String subject, long cost) {
    return new String(charge(subject, cost).key(), StandardCharsets.UTF_8);
  }

  private ScriptCall call(Verb verb, String subject, byte[] cost, long deadline) {
    checkOpen();
    return new ScriptCall(verb, script, keys.key(subject), cost, tiers, deadline);
  }

  /** Throws an IllegalStateException once the limiters are closed. */
  void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("policy " + name + ": its limiters are closed");
    }
  }

  /** Policy and limit in words, such as {@code api: token-bucket:10/1s,burst=100}. */
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
}
