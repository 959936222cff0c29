package io.github.penstock.local.internal;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.LimiterCall.Kind;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.internal.notice.LimiterEvents.UndecidedCall;
import io.github.penstock.core.internal.plan.LimitPolicy;
import io.github.penstock.core.internal.waiting.BlockingAcquire;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limiter of one policy over the usage of its subjects in this process. Safe for use by several
 * threads.
 */
public final class LocalRateLimiter implements RateLimiter {
  private final LimitPolicy policy;
  private final TierTerms[] terms;
  private final int headLength;
  private final int tailLength;
  private final SubjectTable table;
  private final LimiterEvents events;
  private final boolean heard;
  private final TimeSource time;
  private final MicroClock clock;
  private final WaitingQueue line;

  /**
   * The limiter of {@code policy} under {@code limit}.
   *
   * @param marker the marker of the limit, the end of its keys
   * @param table the subjects of all limits of this policy and marker
   * @param time the clock of latencies
   * @param clock the clock of the units
   * @param line where calls wait for units
   * @param closed whether its limiters are closed
   */
  public LocalRateLimiter(
      String policy,
      Limit limit,
      String marker,
      SubjectTable table,
      RateLimiterOptions options,
      LimiterEvents events,
      TimeSource time,
      MicroClock clock,
      WaitingQueue line,
      AtomicBoolean closed) {
    this.policy = new LimitPolicy(policy, limit, options, time, closed);
    this.table = table;
    this.events = events;
    heard = events.isHeard();
    this.time = time;
    this.clock = clock;
    this.line = line;
    terms = TierTerms.of(limit);
    headLength = options.keyPrefix(policy).length() + 1;
    tailLength = marker.length() + 2;
  }

  /** The key for which a call waits. Throws if the call itself is invalid. */
  String waitingKey(String subject, long cost) {
    return policy.waitingKey(subject, cost);
  }

  @Override
  public String policy() {
    return policy.name();
  }

  @Override
  public Limit limit() {
    return policy.limit();
  }

  @Override
  public Decision tryAcquire(String subject, long cost) {
    LimitPolicy.checkUnits("cost", cost);
    policy.checkOpen();
    long begunNanos = heard ? time.nanos() : 0;
    Decision decision = charged(subject, cost);
    if (decision != null && !heard) {
      return decision;
    }
    AcquiredUnits acquired =
        decision == null ? null : new AcquiredUnits(decision.allowed() ? cost : 0, decision);
    return told(Kind.ACQUIRE, subject, cost, begunNanos, acquired).decision();
  }

  @Override
  public Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException {
    return new BlockingAcquire(
            line,
            waitingKey(subject, cost),
            () -> tryAcquire(subject, cost),
            late -> refund(subject, cost))
        .await(atMost);
  }

  @Override
  public AcquiredUnits tryAcquireUpTo(String subject, long max) {
    LimitPolicy.checkUnits("max", max);
    policy.checkOpen();
    long begunNanos = time.nanos();
    long nowUs = clock.micros();
    AcquiredUnits acquired = call(subject, nowUs, use -> use.chargeSeveral(terms, 1, max, nowUs));
    return told(Kind.ACQUIRE_UP_TO, subject, max, begunNanos, acquired);
  }

  @Override
  public List<Outcome> tryAcquireAll(Collection<String> subjects) {
    policy.checkBatch("subjects", subjects);
    return subjects.stream().map(subject -> outcome(new SubjectCost(subject, 1))).toList();
  }

  @Override
  public List<Outcome> tryAcquireEach(List<SubjectCost> calls) {
    policy.checkBatch("calls", calls);
    return calls.stream().map(this::outcome).toList();
  }

  private Outcome outcome(SubjectCost call) {
    try {
      return new Outcome.Decided(call.subject(), tryAcquire(call.subject(), call.cost()));
    } catch (RuntimeException e) {
      return new Outcome.Failed(call.subject(), e);
    }
  }

  @Override
  public Usage peek(String subject) {
    policy.checkOpen();
    long nowUs = clock.micros();
    return used(Kind.PEEK, subject, 0, use -> use.peek(terms, nowUs));
  }

  @Override
  public Usage refund(String subject, long units) {
    LimitPolicy.checkUnits("units", units);
    policy.checkOpen();
    long nowUs = clock.micros();
    return used(Kind.REFUND, subject, units, use -> use.refund(terms, units, nowUs));
  }

  @Override
  public String toString() {
    return policy.toString();
  }

  /*
   * Subjects are stored by their names in keys. Nearly every subject equals its name, and is found
   * directly; one that is not found, or equals the name of another, is encoded first.
   */
  private @Nullable Decision charged(String subject, long cost) {
    long nowUs = clock.micros();
    SubjectUse use = table.find(Objects.requireNonNull(subject, "subject"));
    Decision decision = use == null || !use.isPlain() ? null : use.charge(terms, cost, nowUs);
    return decision != null
        ? decision
        : call(subject, nowUs, known -> known.charge(terms, cost, nowUs));
  }

  private <T> @Nullable T call(
      String subject, long nowUs, Function<SubjectUse, @Nullable T> calling) {
    return table.call(name(subject), policy.limit().kind(), terms, nowUs, calling);
  }

  /* A subject's name in its key; throws if it has none. */
  private String name(String subject) {
    byte[] key = policy.key(subject);
    int length = key.length - headLength - tailLength;
    return new String(key, headLength, length, StandardCharsets.UTF_8);
  }

  /* A subject that is not stored, or is being dropped, is unused. */
  private Usage used(
      Kind kind, String subject, long units, Function<SubjectUse, @Nullable Usage> using) {
    long begunNanos = time.nanos();
    SubjectUse use = table.find(name(subject));
    Usage kept = use == null ? null : using.apply(use);
    Usage usage =
        kept != null
            ? kept
            : Objects.requireNonNull(using.apply(new SubjectUse("", policy.limit().kind(), terms)));
    if (heard) {
      LimiterCall call = limiterCall(kind, subject, units, begunNanos);
      events.publish(listener -> listener.onUsage(call, usage));
    }
    return usage;
  }

  private AcquiredUnits told(
      Kind kind, String subject, long units, long begunNanos, @Nullable AcquiredUnits acquired) {
    if (acquired == null) {
      return full(limiterCall(kind, subject, units, begunNanos));
    }
    if (heard) {
      LimiterCall call = limiterCall(kind, subject, units, begunNanos);
      events.publish(listener -> listener.onDecision(call, acquired, null));
    }
    return acquired;
  }

  /* More subjects are in use than fit: the options determine the outcome. */
  private AcquiredUnits full(LimiterCall call) {
    OverloadedException why =
        new OverloadedException(
            "policy " + policy.name() + ": too many subjects are in use, and nothing was charged",
            null);
    UndecidedCall chosen = events.choose(why.kind(), why);
    if (chosen == null) {
      events.publish(listener -> listener.onFailure(call, why));
      throw why;
    }
    Decision decision = chosen.decision(policy.limit(), policy.deadlineNanos());
    AcquiredUnits acquired = new AcquiredUnits(chosen.allowed() ? call.units() : 0, decision);
    events.publish(listener -> listener.onDecision(call, acquired, why));
    return acquired;
  }

  private LimiterCall limiterCall(Kind kind, String subject, long units, long begunNanos) {
    Duration latency = Duration.ofNanos(time.nanos() - begunNanos);
    return new LimiterCall(kind, policy.name(), subject, units, latency);
  }
}
