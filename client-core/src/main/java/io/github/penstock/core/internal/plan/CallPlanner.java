package io.github.penstock.core.internal.plan;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.near.SubjectLease;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.spi.ScriptCall;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans the calls of a policy, in one order for all drivers: a unit that is leased, a denial that
 * is remembered, the node's circuit, and else the server. Immutable, safe for use by several
 * threads.
 */
public final class CallPlanner {
  private final LimitPolicy policy;
  private final OutcomeReaders readers;
  private final CircuitBreaker breaker;
  private final @Nullable LeaseTerms leasing;

  /**
   * The planner of a policy.
   *
   * @param leasing how units are leased; null if they are not
   */
  public CallPlanner(
      LimitPolicy policy,
      OutcomeReaders readers,
      CircuitBreaker breaker,
      @Nullable LeaseTerms leasing) {
    this.policy = policy;
    this.readers = readers;
    this.breaker = breaker;
    this.leasing = leasing;
  }

  public LimitPolicy policy() {
    return policy;
  }

  /**
   * The plan for a call for units.
   *
   * @param wait waits for {@link LeasedCall#other}, which takes a lease (rule L8); returns null if
   *     the call can be planned again
   */
  public <R> R tryAcquire(
      ScriptCall call,
      String subject,
      long cost,
      CallDriver<Decision, R> driver,
      Function<LeasedCall, @Nullable R> wait) {
    SubjectLease lease =
        leasing == null || cost > leasing.most() ? null : readers.lease(call, leasing);
    if (lease != null) {
      return tryAcquire(new LeasedCall(policy, readers, lease, call, subject, cost), driver, wait);
    }
    Decision known = readers.known(call, subject, cost);
    return known != null
        ? driver.decided(known)
        : breaker.pass(call, readers.decisions(subject, cost), driver);
  }

  /** Plans a call of a limiter that leases, again if it has waited. */
  public <R> R tryAcquire(
      LeasedCall leased, CallDriver<Decision, R> driver, Function<LeasedCall, @Nullable R> wait) {
    Decision here = leased.decide();
    while (here == null && leased.mustWait()) {
      R waiting = leased.other() == null ? null : wait.apply(leased);
      if (waiting != null) {
        return waiting;
      }
      here = leased.decide();
    }
    leased.waitedEnough();
    return here != null ? driver.decided(here) : breaker.pass(leased.toSend(), leased, driver);
  }

  public <R> R tryAcquireUpTo(String subject, long max, CallDriver<AcquiredUnits, R> driver) {
    ScriptCall call = policy.chargeUpTo(subject, max);
    AcquiredUnits known = readers.knownUpTo(call, subject, max);
    return known != null
        ? driver.decided(known)
        : breaker.pass(call, readers.acquired(subject, max), driver);
  }

  public <R> R peek(String subject, CallDriver<Usage, R> driver) {
    return breaker.pass(policy.peek(subject), readers.peeked(subject), driver);
  }

  /** Refunds units; the state of their key is forgotten before the call is sent. */
  public <R> R refund(String subject, long units, CallDriver<Usage, R> driver) {
    ScriptCall call = policy.refund(subject, units);
    readers.givenBack(call);
    return breaker.pass(call, readers.refunded(subject, units), driver);
  }

  /** Takes a unit, which requires write permission, for the start of a service. */
  public <R> R probe(String subject, long deadline, CallDriver<Usage, R> driver) {
    return breaker.pass(policy.probe(subject, deadline), readers.probed(), driver);
  }

  /** Refunds the charge of a decision by this process's share; false if the server made it. */
  public boolean givesBackHere(String subject, long units, Decision admitted) {
    return readers.givesBackHere(policy.key(subject), units, admitted);
  }
}
