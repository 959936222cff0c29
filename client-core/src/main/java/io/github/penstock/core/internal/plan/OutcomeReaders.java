package io.github.penstock.core.internal.plan;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.LimiterCall.Kind;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.NodeWatch;
import io.github.penstock.core.internal.near.LocalShare;
import io.github.penstock.core.internal.near.NearLayer;
import io.github.penstock.core.internal.near.SubjectLease;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.internal.notice.LimiterEvents.UndecidedCall;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Converts the outcomes of a policy's calls, always in this order: decode the answer, remember it,
 * or choose an outcome without one, publish. Immutable, safe for use by several threads.
 */
public final class OutcomeReaders {
  private final LimitPolicy policy;
  private final NearLayer near;
  private final @Nullable LocalShare share;
  private final LimiterEvents events;
  private final NodeWatch nodes;
  private final ReplyReader<Decision> decisions = new Decisions(null);
  private final ReplyReader<Usage> usages = new Usages(null);
  private final ReplyReader<Usage> refunds = new Refunds(null);

  /**
   * The readers of a policy.
   *
   * @throws IllegalArgumentException if the share of its limit that the options name is invalid
   */
  public OutcomeReaders(LimitPolicy policy, NearLayer near, LimiterEvents events, NodeWatch nodes) {
    this.policy = policy;
    this.near = near;
    share = near.share(policy.limit());
    this.events = events;
    this.nodes = nodes;
  }

  /** The denial of a call, if it is known without asking. */
  @Nullable Decision known(ScriptCall call, String subject, long cost) {
    Decision known = near.denial(call.key(), policy.limit(), cost);
    if (known != null) {
      publish(Kind.ACQUIRE, subject, cost, call, known);
    }
    return known;
  }

  /** The result of a call for up to {@code max} units if none are available. */
  @Nullable AcquiredUnits knownUpTo(ScriptCall call, String subject, long max) {
    Decision known = near.denial(call.key(), policy.limit(), 1);
    return known == null ? null : publish(Kind.ACQUIRE_UP_TO, subject, max, call, known);
  }

  /** The lease of a call's key; null if it cannot have one. */
  @Nullable SubjectLease lease(ScriptCall call, LeaseTerms terms) {
    return near.lease(call.key(), policy.limit(), terms);
  }

  /** Publishes a decision that was made here. */
  public AcquiredUnits publish(
      Kind kind, String subject, long units, ScriptCall call, Decision decision) {
    AcquiredUnits acquired = acquired(decision, units);
    if (events.isHeard()) {
      publish(new PublishedCall(kind, subject, units), call, acquired, null);
    }
    return acquired;
  }

  /** Remembers the server's answer to a call for units of {@code cost}. */
  public void remember(ScriptCall call, long cost, Decision decision) {
    events.answered();
    nodes.decided(call, decision.allowed());
    if (!decision.allowed()) {
      near.denied(call.key(), policy.limit(), cost, decision, sentNanos(call));
    }
  }

  /** A time before the call was sent. */
  public long sentNanos(ScriptCall call) {
    return call.deadlineNanos() - policy.deadlineNanos();
  }

  /** Forgets the state of a refund's key (rule N5). */
  public void givenBack(ScriptCall refund) {
    near.givenBack(refund.key(), policy.isReset(refund));
  }

  /**
   * Refunds the units of an admitted call that this process charged; false if the server charged
   * them.
   */
  public boolean givesBackHere(byte[] key, long units, Decision admitted) {
    if (share == null || admitted.source() != DecisionSource.LOCAL) {
      return false;
    }
    share.refund(key, units);
    return true;
  }

  public ReplyReader<Decision> decisions(String subject, long cost) {
    return events.isHeard()
        ? new Decisions(new PublishedCall(Kind.ACQUIRE, subject, cost))
        : decisions;
  }

  /** The reader of how many of {@code max} units were taken. */
  public ReplyReader<AcquiredUnits> acquired(String subject, long max) {
    return new Acquisitions(new PublishedCall(Kind.ACQUIRE_UP_TO, subject, max));
  }

  public ReplyReader<Usage> peeked(String subject) {
    return events.isHeard() ? new Usages(new PublishedCall(Kind.PEEK, subject, 0)) : usages;
  }

  public ReplyReader<Usage> refunded(String subject, long units) {
    return events.isHeard() ? new Refunds(new PublishedCall(Kind.REFUND, subject, units)) : refunds;
  }

  /** The reader of a probe, which listeners do not get. */
  public ReplyReader<Usage> probed() {
    return new Probes();
  }

  /** The call in the listeners' form. */
  private record PublishedCall(Kind kind, String subject, long units) {}

  private final class Decisions implements ReplyReader<Decision> {
    private final @Nullable PublishedCall published;

    Decisions(@Nullable PublishedCall published) {
      this.published = published;
    }

    @Override
    public boolean isForUnits() {
      return true;
    }

    @Override
    public Decision answered(ScriptCall call, @Nullable Object reply) {
      Decision decision = ReplyDecoder.decision(call, reply);
      remember(call, decision.allowed() ? 0 : LimitPolicy.cost(call), decision);
      publish(call, decision, null);
      return decision;
    }

    @Override
    public Decision failed(ScriptCall call, CallFailure failure) {
      RuntimeException exception = exception(failure);
      Decision decision = chosen(published, call, 1, failure, exception).decision();
      publish(call, decision, exception);
      return decision;
    }

    private void publish(ScriptCall call, Decision decision, @Nullable RuntimeException exception) {
      if (published != null) {
        OutcomeReaders.this.publish(
            published, call, OutcomeReaders.acquired(decision, published.units), exception);
      }
    }
  }

  private final class Acquisitions implements ReplyReader<AcquiredUnits> {
    private final PublishedCall published;

    Acquisitions(PublishedCall published) {
      this.published = published;
    }

    @Override
    public boolean isForUnits() {
      return true;
    }

    @Override
    public AcquiredUnits answered(ScriptCall call, @Nullable Object reply) {
      AcquiredUnits acquired = ReplyDecoder.acquired(call, reply, published.units);
      remember(call, 1, acquired.decision());
      publish(published, call, acquired, null);
      return acquired;
    }

    @Override
    public AcquiredUnits failed(ScriptCall call, CallFailure failure) {
      RuntimeException exception = exception(failure);
      AcquiredUnits acquired = chosen(published, call, published.units, failure, exception);
      publish(published, call, acquired, exception);
      return acquired;
    }
  }

  private class Usages implements ReplyReader<Usage> {
    private final @Nullable PublishedCall published;

    Usages(@Nullable PublishedCall published) {
      this.published = published;
    }

    @Override
    public Usage answered(ScriptCall call, @Nullable Object reply) {
      Usage usage = ReplyDecoder.usage(call, reply);
      if (published != null) {
        LimiterCall heard = limiterCall(published, call);
        events.publish(listener -> listener.onUsage(heard, usage));
      }
      return usage;
    }

    @Override
    public Usage failed(ScriptCall call, CallFailure failure) {
      throw thrown(published, call, exception(failure));
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

  /* The key's remembered denials are forgotten before the caller can call again (rule N5). */
  private final class Refunds extends Usages {
    Refunds(@Nullable PublishedCall published) {
      super(published);
    }

    @Override
    public Usage answered(ScriptCall call, @Nullable Object reply) {
      givenBack(call);
      Usage usage = super.answered(call, reply);
      if (share != null && policy.isReset(call)) {
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
    RuntimeException exception = failure.exception(policy.name());
    events.failing(exception);
    return exception;
  }

  /* The decision by this process's share or by the options; throws if neither decides. */
  private AcquiredUnits chosen(
      @Nullable PublishedCall published,
      ScriptCall call,
      long calls,
      CallFailure failure,
      RuntimeException exception) {
    UndecidedCall chosen = events.choose(failure.kind(), exception);
    if (chosen == null) {
      throw thrown(published, call, exception);
    }
    AcquiredUnits here =
        share != null && failure.kind().outage()
            ? share.tryAcquire(call.key(), LimitPolicy.cost(call), calls)
            : null;
    return here != null
        ? here
        : acquired(chosen.decision(policy.limit(), policy.deadlineNanos()), calls);
  }

  private RuntimeException thrown(
      @Nullable PublishedCall published, ScriptCall call, RuntimeException exception) {
    if (published != null && events.isHeard()) {
      LimiterCall heard = limiterCall(published, call);
      events.publish(listener -> listener.onFailure(heard, exception));
    }
    return exception;
  }

  private void publish(
      PublishedCall published,
      ScriptCall call,
      AcquiredUnits acquired,
      @Nullable RuntimeException exception) {
    if (events.isHeard()) {
      LimiterCall heard = limiterCall(published, call);
      events.publish(listener -> listener.onDecision(heard, acquired, exception));
    }
  }

  private static AcquiredUnits acquired(Decision decision, long asked) {
    return new AcquiredUnits(decision.allowed() ? asked : 0, decision);
  }

  private LimiterCall limiterCall(PublishedCall published, ScriptCall call) {
    Duration latency = Duration.ofNanos(policy.deadlineNanos() - call.remainingNanos());
    return new LimiterCall(
        published.kind, policy.name(), published.subject, published.units, latency);
  }
}
