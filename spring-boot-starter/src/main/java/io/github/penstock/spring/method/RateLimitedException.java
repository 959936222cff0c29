package io.github.penstock.spring.method;

import io.github.penstock.core.Decision;
import io.github.penstock.spring.request.PolicyAnswer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method was denied, or could not be decided. It has no stack trace; its message names
 * the policy.
 */
public final class RateLimitedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient PolicyAnswer answer;

  RateLimitedException(PolicyAnswer answer, @Nullable Throwable cause) {
    super("policy " + answer.plan().policy() + ": the call was denied", cause, false, false);
    this.answer = answer;
  }

  /** The exception of an answer that is a denial. */
  public static RateLimitedException of(PolicyAnswer answer) {
    return new RateLimitedException(answer, null);
  }

  PolicyAnswer answer() {
    return answer;
  }

  /** The name of the policy. */
  public String policy() {
    return answer.plan().policy();
  }

  /** The decision; not {@link Decision#enforced() enforced} if no limit could decide. */
  public Decision decision() {
    return answer.decision();
  }

  /** The status of a response: 429, or 503 if no limit could decide. */
  public int status() {
    return answer.status();
  }

  /** The fields of a response. */
  public Map<String, String> fields() {
    return answer.fields();
  }

  /** The problem body of a response, in ASCII. */
  public String problem() {
    return answer.problem();
  }
}
