package io.github.penstock.core.http;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.EntryUsage;
import io.github.penstock.core.reserve.ReservationAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Formats the decisions of several policies about one request as HTTP header fields. The strictest
 * policy comes first. If the request is denied, this class also formats a problem body.
 *
 * <pre>{@code
 * CombinedHeaders headers = CombinedHeaders.of(call.answer());
 * headers.fields().forEach(response::setHeader);
 * if (call.denied()) {
 *   response.setStatus(headers.status());
 *   response.setContentType(RateLimitHeaders.PROBLEM_TYPE);
 *   response.getWriter().write(headers.problem());
 * }
 * }</pre>
 *
 * <p>Denials come first, in descending order of their waits. Decisions that allow the request
 * follow, in ascending order of their remaining units. Decisions that allow the request but are not
 * {@link Decision#enforced() enforced} come last. Equally strict decisions keep their order. If two
 * decisions have the same policy name, only the stricter decision is written. {@link
 * HeaderForm#DRAFT_11} lists all policies. The other formats contain only the strictest policy.
 * {@code Retry-After} is the longest wait. It is omitted if one of the denied calls is {@link
 * Decision#impossible() impossible}.
 *
 * <p>Immutable and thread-safe.
 */
public final class CombinedHeaders {
  private static final Comparator<AnsweredPolicy> STRICTEST_FIRST =
      Comparator.comparing((AnsweredPolicy policy) -> policy.decision.allowed())
          .thenComparing(AnsweredPolicy::waitMicros, Comparator.reverseOrder())
          .thenComparing(policy -> !policy.decision.enforced())
          .thenComparing(policy -> policy.decision.remaining());

  private static final List<String> LISTS = List.of("RateLimit-Policy", "RateLimit");
  private final List<AnsweredPolicy> policies;

  /* The policies in the order in which they were added. */
  private CombinedHeaders(List<AnsweredPolicy> policies) {
    this.policies = List.copyOf(policies);
  }

  private record AnsweredPolicy(
      HeaderForm form, Decision decision, List<String> names, Map<String, String> fields) {
    /* The wait of a denial; 0 for an allowed call, even if it is delayed. */
    long waitMicros() {
      if (decision.allowed()) {
        return 0;
      }
      return decision.impossible() ? Long.MAX_VALUE : decision.waitMicros();
    }

    String violated() {
      return names.get(decision.tier() - 1);
    }
  }

  /**
   * Returns the headers of a limiter's policy, in the format {@link HeaderForm#DRAFT_11}. Add other
   * policies with {@link #and(RateLimiter, Decision)}.
   *
   * @throws IllegalArgumentException if the decision was made for a limit other than the limiter's
   */
  public static CombinedHeaders of(RateLimiter limiter, Decision decision) {
    return of(RateLimitHeaders.of(limiter.policy(), limiter.limit()), decision);
  }

  /**
   * Returns these headers combined with the headers of another limiter's policy.
   *
   * @throws IllegalArgumentException if the decision was not made under the limiter's limit, or if
   *     the format of these headers is not {@link HeaderForm#DRAFT_11}
   */
  public CombinedHeaders and(RateLimiter limiter, Decision decision) {
    return and(RateLimitHeaders.of(limiter.policy(), limiter.limit()), decision);
  }

  /**
   * Returns the headers of one policy. Add other policies with {@link #and(RateLimitHeaders,
   * Decision)}.
   *
   * @throws IllegalArgumentException if the decision was not made under the limit of {@code
   *     headers}
   */
  public static CombinedHeaders of(RateLimitHeaders headers, Decision decision) {
    return new CombinedHeaders(List.of(answered(headers, decision)));
  }

  /**
   * Returns these headers combined with the headers of another policy.
   *
   * @throws IllegalArgumentException if the decision was not made under the limit of {@code
   *     headers}, or if {@code headers} has a different format
   */
  public CombinedHeaders and(RateLimitHeaders headers, Decision decision) {
    HeaderForm form = policies.get(0).form;
    if (headers.form() != form) {
      throw new IllegalArgumentException(
          "headers must be of the form " + form + ": " + headers.form());
    }
    List<AnsweredPolicy> all = new ArrayList<>(policies);
    all.add(answered(headers, decision));
    return new CombinedHeaders(all);
  }

  /** Returns the headers for all limits of a call, in the format {@link HeaderForm#DRAFT_11}. */
  public static CombinedHeaders of(ReservationAnswer answer) {
    return of(answer, HeaderForm.DRAFT_11);
  }

  /**
   * Returns the headers for all limits of a call. Held units count as used. In the format {@link
   * HeaderForm#DRAFT_11}, a concurrency limit has the quota unit {@code concurrent-requests}. Its
   * fields contain no times, because a permit can become available at any time.
   */
  public static CombinedHeaders of(ReservationAnswer answer, HeaderForm form) {
    Objects.requireNonNull(form, "form");
    return new CombinedHeaders(
        IntStream.range(0, answer.usages().size())
            .mapToObj(index -> answered(answer, index, form))
            .toList());
  }

  /** Returns the header fields by name, in the order in which to write them. */
  public Map<String, String> fields() {
    List<AnsweredPolicy> strictestFirst = strictestFirst();
    AnsweredPolicy strictest = strictestFirst.get(0);
    if (strictest.form != HeaderForm.DRAFT_11) {
      return new LinkedHashMap<>(strictest.fields);
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String name : LISTS) {
      String all =
          strictestFirst.stream()
              .map(policy -> policy.fields.get(name))
              .filter(Objects::nonNull)
              .collect(Collectors.joining(", "));
      if (!all.isEmpty()) {
        fields.put(name, all);
      }
    }
    strictest.fields.forEach(fields::putIfAbsent);
    return fields;
  }

  /**
   * Returns the status of the response to a denied request: 429, or 503 if none of the denials is
   * {@link Decision#enforced() enforced}.
   *
   * @throws IllegalStateException if no policy denied the request
   */
  public int status() {
    return exceeded(denials()) ? 429 : 503;
  }

  /** Returns the problem body without a detail; see {@link #problem(String)}. */
  public String problem() {
    return problem(null);
  }

  /**
   * Returns the body of the response to a denied request, like {@link
   * RateLimitHeaders#problem(Decision)}. The body lists every policy with an {@link
   * Decision#enforced() enforced} denial. The strictest policy comes first.
   *
   * @param detail a text for human readers, or null for no detail
   * @throws IllegalStateException if no policy denied the request
   */
  public String problem(@Nullable String detail) {
    List<AnsweredPolicy> denials = denials();
    List<String> violated =
        denials.stream()
            .filter(policy -> policy.decision.enforced())
            .map(AnsweredPolicy::violated)
            .toList();
    return RateLimitHeaders.problem(exceeded(denials), violated, detail);
  }

  private List<AnsweredPolicy> denials() {
    List<AnsweredPolicy> denials =
        strictestFirst().stream().filter(policy -> !policy.decision.allowed()).toList();
    if (denials.isEmpty()) {
      throw new IllegalStateException("a policy must deny: " + this);
    }
    return denials;
  }

  private static boolean exceeded(List<AnsweredPolicy> denials) {
    return denials.stream().anyMatch(policy -> policy.decision.enforced());
  }

  private List<AnsweredPolicy> strictestFirst() {
    Set<String> taken = new HashSet<>();
    List<AnsweredPolicy> strictestFirst = new ArrayList<>();
    for (AnsweredPolicy policy : policies.stream().sorted(STRICTEST_FIRST).toList()) {
      if (Collections.disjoint(taken, policy.names)) {
        strictestFirst.add(policy);
        taken.addAll(policy.names);
      }
    }
    return strictestFirst;
  }

  private static AnsweredPolicy answered(RateLimitHeaders headers, Decision decision) {
    return new AnsweredPolicy(headers.form(), decision, headers.names(), headers.fields(decision));
  }

  /**
   * Returns the decision of each limit of a call, in the order of the call's entries. If a limit
   * denied the call, only the decision of the limit with the longest wait is a denial. It is
   * unknown whether other limits also deny the call. If the call was denied because no decision
   * could be made, all decisions are denials.
   */
  public static List<Decision> decisions(ReservationAnswer answer) {
    return IntStream.range(0, answer.usages().size())
        .mapToObj(index -> decision(answer, index))
        .toList();
  }

  private static Decision decision(ReservationAnswer answer, int index) {
    EntryUsage usage = answer.usages().get(index);
    boolean denies = !answer.allowed() && (index == answer.denying() || !answer.enforced());
    return new Decision(
        !denies,
        usage.limit(),
        usage.remaining(),
        denies ? answer.waitMicros() : 0,
        usage.resetMicros(),
        usage.tier(),
        answer.enforced() ? DecisionSource.SERVER : DecisionSource.UNAVAILABLE);
  }

  private static AnsweredPolicy answered(ReservationAnswer answer, int index, HeaderForm form) {
    Decision decision = decision(answer, index);
    EntryUsage usage = answer.usages().get(index);
    EntryLimit limit = usage.entry().limit();
    Limit rate = limit.rate();
    return rate == null
        ? inFlight(limit.policy(), decision, form)
        : answered(RateLimitHeaders.of(limit.policy(), rate).form(form), decision);
  }

  private static AnsweredPolicy inFlight(String policy, Decision decision, HeaderForm form) {
    Map<String, String> fields = new LinkedHashMap<>();
    String name = FieldText.string("policy", policy);
    if (form == HeaderForm.DRAFT_11) {
      fields.put(
          "RateLimit-Policy", name + ";q=" + decision.limit() + ";qu=\"concurrent-requests\"");
      if (decision.enforced()) {
        fields.put("RateLimit", name + ";r=" + decision.remaining());
      }
    } else {
      RateLimitHeaders.figures(
          form, decision, FieldText.seconds(decision.resetMicros()), fields::put);
    }
    RateLimitHeaders.retryAfter(decision, fields::put);
    return new AnsweredPolicy(form, decision, List.of(policy), fields);
  }

  @Override
  public String toString() {
    return "CombinedHeaders" + fields();
  }
}
