package io.github.penstock.spring.internal.request;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.spring.internal.subject.ScarceLog;
import io.github.penstock.spring.method.RateLimitedException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a policy to a request.
 *
 * @param decision the decision
 * @param plan the limit that decided
 */
public record PolicyAnswer(Decision decision, PlanLimit plan) {
  private static final ScarceLog LOG = new ScarceLog();

  /** The answer where no limit could decide: a denial. Logs the reason, at most once a second. */
  public static PolicyAnswer undecided(PlanLimit plan, Throwable failure) {
    LOG.log(
        Level.WARNING,
        "policy " + plan.policy() + ": a call was not decided on: " + failure.getMessage());
    long capacity = plan.limit().tiers().get(0).capacity();
    long waitMicros = TimeUnit.NANOSECONDS.toMicros(plan.deadline().toNanos());
    return new PolicyAnswer(
        new Decision(false, capacity, 0, waitMicros, 0, 1, DecisionSource.UNAVAILABLE), plan);
  }

  /** Returns whether the request may proceed. */
  public boolean allowed() {
    return decision.allowed();
  }

  /** The fields of the response by name. */
  public Map<String, String> fields() {
    return plan.fields(decision);
  }

  /** The status of a denial: 429, or 503 without a decision. */
  public int status() {
    return RateLimitHeaders.status(decision);
  }

  /** The body of a denial, in ASCII. */
  public String problem() {
    return plan.headers().problem(decision);
  }

  /**
   * The exception of a denial.
   *
   * @param cause why no limit could decide; null for a decision
   */
  public RateLimitedException exception(@Nullable Throwable cause) {
    return new RateLimitedException(plan.policy(), decision, status(), fields(), problem(), cause);
  }

  /**
   * Returns whether a response should have the fields of this answer rather than those of an
   * earlier one: a denial's, or else those of the limit with the fewest units remaining.
   */
  public boolean isStricterThan(@Nullable PolicyAnswer earlier) {
    if (earlier == null || !allowed()) {
      return true;
    }
    return decision.enforced()
        && (!earlier.decision.enforced() || decision.remaining() < earlier.decision.remaining());
  }
}
