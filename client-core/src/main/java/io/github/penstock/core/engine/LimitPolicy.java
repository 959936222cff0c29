package io.github.penstock.core.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.LimiterCall.Kind;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.Usage;
import io.github.penstock.core.failure.CallFailure;
import io.github.penstock.core.failure.NodeWatch;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.near.LocalShare;
import io.github.penstock.core.near.NearLayer;
import io.github.penstock.core.near.SubjectLease;
import io.github.penstock.core.notice.FailureChoice;
import io.github.penstock.core.notice.FailureChoice.UndecidedCall;
import io.github.penstock.core.notice.LimiterEvents;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A named limit: makes its calls, and converts their outcomes. Everything that does not depend on
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
  private final RateLimiterOptions options;
  private final LimiterEvents events;
  private final NodeWatch nodes;
  private final AtomicBoolean closed;
  private final FailureChoice choice;
  private final ReplyReader<Decision> decisions = new Decisions(null);
  private final NearLayer near;
  private final @Nullable LocalShare share;
  private final @Nullable LeaseTerms leasing;
  private final ReplyReader<Usage> usages = new Usages(null);
  private final ReplyReader<Usage> refunds = new Refunds(null);

  /**
   * The policy {@code name} under {@code limit}.
   *
   * @param leasing how units are leased; null if they are not
   * @param closed whether its limiters are, and nothing can be called any more
   * @throws IllegalArgumentException if the name is invalid, or the share of the limit that the
   *     options name
   */
  LimitPolicy(
      String name,
      Limit limit,
      @Nullable LeaseTerms leasing,
      RateLimiterOptions options,
      NearLayer near,
      LimiterEvents events,
      NodeWatch nodes,
      AtomicBoolean closed) {
    LimitEncoding encoding = LimitEncoding.of(Objects.requireNonNull(limit, "limit"));
    this.name = name;
    this.limit = limit;
    script = encoding.script();
    keys = new KeyFormat(options.keyPrefix(name), encoding.marker());
    tiers = encoding.arguments().stream().map(LimitPolicy::ascii).toArray(byte[][]::new);
    firstLimit = limit.tiers().get(0).capacity();
    charge = options.functions() ? Verb.FCALL : Verb.EVALSHA;
    Verb onReplica = options.functions() ? Verb.FCALL_RO : Verb.EVALSHA_RO;
    peek = options.peekOnReplicas() ? onReplica : charge;
    deadlineNanos = options.deadline().toNanos();
    this.options = options;
    this.leasing = leasing;
    this.near = near;
    share = near.share(limit);
    this.events = events;
    this.nodes = nodes;
    this.closed = closed;
    choice = new FailureChoice(options, events, closed);
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

  /** The reader of such a call, which listeners do not get. */
  ReplyReader<Usage> probed() {
    return new Probes();
  }

  ScriptCall peek(String subject) {
    return call(peek, subject, ZERO, deadline());
  }

  /** The call that gives units back; what is known of its key is forgotten before it is sent. */
  ScriptCall refund(String subject, long units) {
    checkUnits("units", units);
    ScriptCall call = call(charge, subject, ascii(Long.toString(-units)), deadline());
    givenBack(call);
    return call;
  }

  /** The denial of a call, if it is known without asking. */
  @Nullable Decision known(ScriptCall call, String subject, long cost) {
    Decision known = near.denial(call.key(), limit, cost);
    if (known != null) {
      tell(Kind.ACQUIRE, subject, cost, call, known);
    }
    return known;
  }

  /** The same for a call for up to {@code max} units: none are available. */
  @Nullable AcquiredUnits knownUpTo(ScriptCall call, String subject, long max) {
    Decision known = near.denial(call.key(), limit, 1);
    if (known == null) {
      return null;
    }
    return tell(Kind.ACQUIRE_UP_TO, subject, max, call, known);
  }

  /** A call that may be answered from a lease, or take one; null where nothing is leased. */
  @Nullable LeasedCall leased(ScriptCall call, String subject, long cost) {
    if (leasing == null || cost > leasing.most()) {
      return null;
    }
    SubjectLease lease = near.lease(call.key(), limit, leasing);
    return lease == null ? null : new LeasedCall(this, lease, call, subject, cost);
  }

  /** Tells listeners of a decision that was made here. */
  AcquiredUnits tell(Kind kind, String subject, long units, ScriptCall call, Decision decision) {
    AcquiredUnits acquired = acquired(decision, units);
    if (events.isHeard()) {
      events.decided(limiterCall(new Asked(kind, subject, units), call), acquired, null);
    }
    return acquired;
  }

  /** The server has answered a call for units of {@code cost}. */
  void answered(ScriptCall call, long cost, Decision decision) {
    events.answered();
    nodes.decided(call, decision.allowed());
    if (!decision.allowed()) {
      near.denied(call.key(), limit, cost, decision, sentNanos(call));
    }
  }

  /** A time before the call was sent, by the clock of {@code core.near}. */
  long sentNanos(ScriptCall call) {
    return near.sentNanos(call.deadlineNanos() - deadlineNanos);
  }

  private void givenBack(ScriptCall refund) {
    near.givenBack(refund.key(), -firstArgument(refund) >= firstLimit);
  }

  /* Of several calls the cost of one. */
  private static long firstArgument(ScriptCall call) {
    String text = new String(call.argument(0), StandardCharsets.US_ASCII);
    int several = text.indexOf('*');
    return Long.parseLong(several < 0 ? text : text.substring(0, several));
  }

  long deadline() {
    return System.nanoTime() + deadlineNanos;
  }

  /** The key at which a call for units waits. Throws if the call itself is invalid. */
  String waitingKey(String subject, long cost) {
    return new String(charge(subject, cost).key(), StandardCharsets.UTF_8);
  }

  /** How the decision about a call is read. */
  ReplyReader<Decision> decisions(String subject, long cost) {
    return events.isHeard() ? new Decisions(new Asked(Kind.ACQUIRE, subject, cost)) : decisions;
  }

  /** The reader of how many of {@code max} units were taken. */
  ReplyReader<AcquiredUnits> acquired(String subject, long max) {
    return new Acquisitions(new Asked(Kind.ACQUIRE_UP_TO, subject, max));
  }

  /** How a peek is read. */
  ReplyReader<Usage> peeked(String subject) {
    return events.isHeard() ? new Usages(new Asked(Kind.PEEK, subject, 0)) : usages;
  }

  /** How a refund is read. */
  ReplyReader<Usage> refunded(String subject, long units) {
    return events.isHeard() ? new Refunds(new Asked(Kind.REFUND, subject, units)) : refunds;
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

  /** The call as listeners hear of it. */
  private record Asked(Kind kind, String subject, long units) {}

  private final class Decisions implements ReplyReader<Decision> {
    private final @Nullable Asked asked;

    Decisions(@Nullable Asked asked) {
      this.asked = asked;
    }

    @Override
    public boolean isForUnits() {
      return true;
    }

    @Override
    public Decision answered(ScriptCall call, @Nullable Object reply) {
      Decision decision = ReplyDecoder.decision(call, reply);
      LimitPolicy.this.answered(call, decision.allowed() ? 0 : firstArgument(call), decision);
      if (asked != null) {
        events.decided(limiterCall(asked, call), acquired(decision, asked.units), null);
      }
      return decision;
    }

    @Override
    public Decision failed(ScriptCall call, CallFailure failure) {
      RuntimeException exception = exception(failure);
      Decision decision = chosen(asked, call, 1, failure, exception).decision();
      if (asked != null) {
        events.decided(limiterCall(asked, call), acquired(decision, asked.units), exception);
      }
      return decision;
    }
  }

  private final class Acquisitions implements ReplyReader<AcquiredUnits> {
    private final Asked asked;

    Acquisitions(Asked asked) {
      this.asked = asked;
    }

    @Override
    public boolean isForUnits() {
      return true;
    }

    @Override
    public AcquiredUnits answered(ScriptCall call, @Nullable Object reply) {
      AcquiredUnits acquired = ReplyDecoder.acquired(call, reply, asked.units);
      LimitPolicy.this.answered(call, 1, acquired.decision());
      if (events.isHeard()) {
        events.decided(limiterCall(asked, call), acquired, null);
      }
      return acquired;
    }

    @Override
    public AcquiredUnits failed(ScriptCall call, CallFailure failure) {
      RuntimeException exception = exception(failure);
      AcquiredUnits acquired = chosen(asked, call, asked.units, failure, exception);
      if (events.isHeard()) {
        events.decided(limiterCall(asked, call), acquired, exception);
      }
      return acquired;
    }
  }

  private class Usages implements ReplyReader<Usage> {
    private final @Nullable Asked asked;

    Usages(@Nullable Asked asked) {
      this.asked = asked;
    }

    @Override
    public Usage answered(ScriptCall call, @Nullable Object reply) {
      Usage usage = ReplyDecoder.usage(call, reply);
      if (asked != null) {
        events.used(limiterCall(asked, call), usage);
      }
      return usage;
    }

    @Override
    public Usage failed(ScriptCall call, CallFailure failure) {
      throw thrown(asked, call, exception(failure));
    }
  }

  /* A decision, which a peek or a refund is not: a replica answers a peek, too. */
  private final class Probes extends Usages {
    Probes() {
      super(null);
    }

    @Override
    public Usage answered(ScriptCall call, @Nullable Object reply) {
      Usage usage = super.answered(call, reply);
      events.answered();
      return usage;
    }
  }

  /* The key's remembered denials are forgotten before the caller can ask again (rule N5). */
  private final class Refunds extends Usages {
    Refunds(@Nullable Asked asked) {
      super(asked);
    }

    @Override
    public Usage answered(ScriptCall call, @Nullable Object reply) {
      givenBack(call);
      Usage usage = super.answered(call, reply);
      if (share != null && -firstArgument(call) >= firstLimit) {
        share.refund(call.key(), Limit.MAX_UNITS);
      }
      return usage;
    }

    @Override
    public Usage failed(ScriptCall call, CallFailure failure) {
      givenBack(call);
      return super.failed(call, failure);
    }

    @Override
    public void abandoned(ScriptCall call) {
      givenBack(call);
    }
  }

  private RuntimeException exception(CallFailure failure) {
    RuntimeException exception = failure.exception(name);
    events.failing(exception);
    return exception;
  }

  /* What this process's share or the options decide; thrown if nothing does. */
  private AcquiredUnits chosen(
      @Nullable Asked asked,
      ScriptCall call,
      long calls,
      CallFailure failure,
      RuntimeException exception) {
    UndecidedCall chosen = choice.of(failure.kind(), exception);
    if (chosen == null) {
      throw thrown(asked, call, exception);
    }
    AcquiredUnits here =
        share != null && failure.kind().outage()
            ? share.tryAcquire(call.key(), firstArgument(call), calls)
            : null;
    if (here != null) {
      return here;
    }
    long waitMicros = chosen.allowed() ? 0 : TimeUnit.NANOSECONDS.toMicros(deadlineNanos);
    Decision decision =
        new Decision(chosen.allowed(), firstLimit, 0, waitMicros, 0, 1, chosen.source());
    return acquired(decision, calls);
  }

  /**
   * Gives back what a call was admitted with, where it was charged in this process; false if the
   * server has to.
   */
  boolean givesBackHere(String subject, long units, Decision admitted) {
    if (share == null || admitted.source() != DecisionSource.LOCAL) {
      return false;
    }
    share.refund(keys.key(subject), units);
    return true;
  }

  private RuntimeException thrown(
      @Nullable Asked asked, ScriptCall call, RuntimeException exception) {
    if (asked != null && events.isHeard()) {
      events.failed(limiterCall(asked, call), exception);
    }
    return exception;
  }

  private static AcquiredUnits acquired(Decision decision, long asked) {
    return new AcquiredUnits(decision.allowed() ? asked : 0, decision);
  }

  private LimiterCall limiterCall(Asked asked, ScriptCall call) {
    Duration latency = Duration.ofNanos(deadlineNanos - call.remainingNanos());
    return new LimiterCall(asked.kind, name, asked.subject, asked.units, latency);
  }
}
