package io.github.penstock.spring.method;

import io.github.penstock.core.Decision;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method was denied, or could not be decided. It has no stack trace; its message names
 * the policy.
 */
public final class RateLimitedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String policy;
  private final transient Decision decision;
  private final int status;
  private final transient Map<String, String> fields;
  private final String problem;

  /**
   * A denial of a policy.
   *
   * @param fields the fields of a response
   * @param problem its problem body, in ASCII
   * @param cause why no limit could decide; null for a decision
   */
  public RateLimitedException(
      String policy,
      Decision decision,
      int status,
      Map<String, String> fields,
      String problem,
      @Nullable Throwable cause) {
    super("policy " + policy + ": the call was denied", cause, false, false);
    this.policy = policy;
    this.decision = decision;
    this.status = status;
    this.fields = Map.copyOf(fields);
    this.problem = problem;
  }

  /** The name of the policy. */
  public String policy() {
    return policy;
  }

  /** The decision; not {@link Decision#enforced() enforced} if no limit could decide. */
  public Decision decision() {
    return decision;
  }

  /** The status of a response: 429, or 503 if no limit could decide. */
  public int status() {
    return status;
  }

  /** The fields of a response. */
  public Map<String, String> fields() {
    return fields;
  }

  /** The problem body of a response, in ASCII. */
  public String problem() {
    return problem;
  }
}
