package io.github.penstock.spring.internal.request;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.http.HeaderForm;
import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.reserve.EntryLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a policy's callers, or of those of one plan.
 *
 * @param limiter the limiter that decides
 * @param asynchronous the asynchronous variant; null if the client is blocking
 * @param deadline the deadline of a decision
 * @param headers its header fields
 * @param written whether they are written; {@code Retry-After} always is
 */
public record PlanLimit(
    RateLimiter limiter,
    @Nullable AsyncRateLimiter asynchronous,
    Duration deadline,
    RateLimitHeaders headers,
    boolean written) {
  /**
   * The settings from which limits of a policy are created.
   *
   * @param limiters the limiters that decide
   * @param policy its name
   * @param leases the units that are charged in advance; null for none
   * @param deadline the deadline of a decision
   * @param form the form of the header fields; null for none
   * @param joint whether another policy is decided with it
   * @param held whether its units are held until the response is known, by it or by another policy
   * @param charged the statuses of responses that are charged; null if all calls are
   */
  public record LimitTerms(
      RateLimiters limiters,
      String policy,
      @Nullable LeaseTerms leases,
      Duration deadline,
      @Nullable HeaderForm form,
      boolean joint,
      boolean held,
      @Nullable StatusSelection charged) {
    private static final Duration LONGEST_RESPONSE = Duration.ofMinutes(1);
    private static final int DEADLINES = 4;

    /* A pure charge needs its receipt for as long as the call may be sent again. */
    @Nullable JointReservations reservations() {
      if (!joint && charged == null) {
        return null;
      }
      Duration keep = deadline.multipliedBy(DEADLINES);
      if (charged != null && keep.compareTo(LONGEST_RESPONSE) < 0) {
        keep = LONGEST_RESPONSE;
      }
      return new JointReservations(
          policy,
          limiters.reservations(policy, keep),
          limiters instanceof AsyncRateLimiters without
              ? without.asyncReservations(policy, keep)
              : null,
          deadline,
          charged);
    }

    PlanLimit of(Limit limit) {
      if (held && !isHeld(limit)) {
        throw new IllegalArgumentException(
            "what charge-when holds is a token bucket, a fixed or a sliding window: " + limit);
      }
      RateLimitHeaders headers = RateLimitHeaders.of(policy, limit);
      return new PlanLimit(
          leases == null
              ? limiters.limiter(policy, limit)
              : limiters.limiter(policy, limit, leases),
          asynchronous(limit),
          deadline,
          form == null ? headers : headers.form(form),
          form != null);
    }

    private static boolean isHeld(Limit limit) {
      try {
        return EntryLimit.of("held", limit).reserve().countsTotal();
      } catch (IllegalArgumentException refused) {
        return false;
      }
    }

    private @Nullable AsyncRateLimiter asynchronous(Limit limit) {
      if (!(limiters instanceof AsyncRateLimiters without)) {
        return null;
      }
      return leases == null
          ? without.asyncLimiter(policy, limit)
          : without.asyncLimiter(policy, limit, leases);
    }
  }

  /** The text of a plan without a limit. */
  public static final String UNLIMITED = "unlimited";

  /**
   * The limit of a plan; empty if it has none.
   *
   * @throws IllegalArgumentException as {@link #parse} does, and for a text that has two meanings
   */
  public static Optional<Limit> parsePlan(String text) {
    if (text.equals("none")) {
      throw new IllegalArgumentException(
          "\"none\" could be no limit, which is \"unlimited\", or no requests, which no limit is");
    }
    return text.equals(UNLIMITED) ? Optional.empty() : Optional.of(parse(text));
  }

  /**
   * A limit that a policy can have.
   *
   * @throws IllegalArgumentException if the text is not a limit, or that of a queue
   */
  public static Limit parse(String text) {
    Limit limit = Limits.parse(text);
    if (limit.kind().queues()) {
      throw new IllegalArgumentException(
          "a request cannot wait for its turn, so a policy takes no " + limit.algorithm());
    }
    return limit;
  }

  /** The name of the policy. */
  public String policy() {
    return limiter.policy();
  }

  /** The limit. */
  public Limit limit() {
    return limiter.limit();
  }

  Map<String, String> fields(Decision decision) {
    Map<String, String> fields = headers.fields(decision);
    if (!written) {
      fields.keySet().retainAll(Set.of("Retry-After"));
    }
    return fields;
  }
}
