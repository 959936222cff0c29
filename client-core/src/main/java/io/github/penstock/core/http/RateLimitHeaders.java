package io.github.penstock.core.http;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Formats the decisions of one policy as HTTP header fields, and its denials as problem bodies.
 *
 * <pre>{@code
 * RateLimitHeaders headers = RateLimitHeaders.of(api.policy(), api.limit());
 *
 * Decision decision = api.tryAcquire("user:42");
 * headers.fields(decision).forEach(response::addHeader);
 * if (!decision.allowed()) {
 *   response.setStatus(RateLimitHeaders.status(decision));
 *   response.setContentType(RateLimitHeaders.PROBLEM_TYPE);
 *   response.getWriter().write(headers.problem(decision));
 * }
 * }</pre>
 *
 * <p>For the first call of a subject under {@code TokenBucket.of(100).refill(10,
 * Duration.ofSeconds(1))}, the fields are
 *
 * <pre>
 * RateLimit-Policy: "api";q=100;w=10
 * RateLimit: "api";r=99;t=1
 * </pre>
 *
 * <p>For each tier, {@code q} is the limit or capacity, and {@code w} is the number of seconds in
 * which the tier refills completely. {@code w} is omitted if it is not a whole number. For the
 * deciding tier, {@code r} is the number of units remaining, and {@code t} is the number of
 * seconds, rounded up, until more units are available. {@code t} is omitted if all units are
 * available. The response to a denied call contains {@code Retry-After}, unless the call is {@link
 * Decision#impossible() impossible}. {@code Retry-After} is never less than {@code t}. If a
 * decision is not {@link Decision#enforced() enforced}, the remaining units are unknown, so only
 * the policy and {@code Retry-After} are written. If this process made the decision under {@link
 * OnUnavailable#local(int)}, the fields describe the process's share of the limit. The share is
 * inferred from the decision. If several numbers of processes result in the same share of a
 * bucket's capacity, the fields contain the rate for the smallest number of processes. The
 * project's {@code docs/http.md} explains the fields for each algorithm.
 *
 * <p>Immutable and thread-safe.
 */
public final class RateLimitHeaders {
  /** The media type of the bodies that {@link #problem(Decision)} returns. */
  public static final String PROBLEM_TYPE = "application/problem+json";

  private static final int MOST_PROCESSES = 999_999_999;
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private final Limit limit;
  private final List<String> names;
  private final HeaderForm form;
  private final String unit;

  private RateLimitHeaders(Limit limit, List<String> names, HeaderForm form, String unit) {
    this.limit = limit;
    this.names = names;
    this.form = form;
    this.unit = unit;
  }

  /**
   * Returns the headers of a policy, in the format {@link HeaderForm#DRAFT_11}. The fields contain
   * the policy's name. If the policy {@code api} has several tiers, the fields contain {@code
   * api-1}, {@code api-2} and so on instead.
   *
   * @param policy the policy's name in printable ASCII, such as the result of {@link
   *     io.github.penstock.core.RateLimiter#policy()}
   * @throws IllegalArgumentException if the name is empty or is not printable ASCII
   */
  public static RateLimitHeaders of(String policy, Limit limit) {
    FieldText.string("policy", policy);
    int tiers = limit.tiers().size();
    List<String> names =
        tiers == 1
            ? List.of(policy)
            : IntStream.rangeClosed(1, tiers).mapToObj(tier -> policy + "-" + tier).toList();
    return new RateLimitHeaders(limit, names, HeaderForm.DRAFT_11, "");
  }

  /** Returns these headers in another format. */
  public RateLimitHeaders form(HeaderForm other) {
    return new RateLimitHeaders(limit, names, Objects.requireNonNull(other, "form"), unit);
  }

  /**
   * Returns these headers with a name for each tier, such as {@code "second", "day"}.
   *
   * @param tiers a different name for each tier of the limit, in printable ASCII
   * @throws IllegalArgumentException if the number of names is not the number of tiers, if two
   *     names are equal, or if a name is empty or is not printable ASCII
   */
  public RateLimitHeaders names(String... tiers) {
    if (tiers.length != names.size()) {
      throw new IllegalArgumentException(
          "tiers must be " + names.size() + " names: " + List.of(tiers));
    }
    if (Stream.of(tiers).distinct().count() < tiers.length) {
      throw new IllegalArgumentException("tiers must differ: " + List.of(tiers));
    }
    for (String tier : tiers) {
      FieldText.string("tiers", tier);
    }
    return new RateLimitHeaders(limit, List.of(tiers), form, unit);
  }

  /**
   * Returns these headers with a quota unit ({@code qu}), such as {@code content-bytes}, for limits
   * that do not count requests. Only the format {@link HeaderForm#DRAFT_11} contains the quota
   * unit.
   *
   * @param quotaUnit the unit in printable ASCII; the draft requires a registered unit
   * @throws IllegalArgumentException if the unit is empty or is not printable ASCII
   */
  public RateLimitHeaders quotaUnit(String quotaUnit) {
    return new RateLimitHeaders(
        limit, names, form, ";qu=" + FieldText.string("quotaUnit", quotaUnit));
  }

  /**
   * Returns the header fields of a decision by name, in the order in which to write them. Add them
   * to the response without replacing existing fields, because a response can have the fields of
   * several policies.
   *
   * @throws IllegalArgumentException if the decision was not made under this limit
   */
  public Map<String, String> fields(Decision decision) {
    return fields(decision, null);
  }

  /**
   * Returns the header fields with a partition key ({@code pk}), which identifies the quota to
   * clients. Only the format {@link HeaderForm#DRAFT_11} contains the partition key. The key should
   * not contain secret or personal data.
   *
   * @param partitionKey any bytes, or null for no partition key
   */
  public Map<String, String> fields(Decision decision, byte @Nullable [] partitionKey) {
    return about(decision).written(decision, partitionKey);
  }

  private Map<String, String> written(Decision decision, byte @Nullable [] partitionKey) {
    LimitTier tier = limit.tiers().get(decision.tier() - 1);
    Map<String, String> fields = new LinkedHashMap<>();
    switch (form) {
      case DRAFT_11 -> draft11(decision, tier, partitionKey, fields::put);
      case DRAFT_07, DRAFT_06 -> {
        oldPolicy(fields::put);
        figures(form, decision, more(tier, decision), fields::put);
      }
      case X_RATE_LIMIT ->
          figures(form, decision, FieldText.seconds(decision.resetMicros()), fields::put);
    }
    retryAfter(decision, fields::put);
    return fields;
  }

  HeaderForm form() {
    return form;
  }

  List<String> names() {
    return names;
  }

  static void retryAfter(Decision decision, BiConsumer<String, String> field) {
    if (!decision.allowed()) {
      decision
          .retryAfterSeconds()
          .ifPresent(seconds -> field.accept("Retry-After", Long.toString(seconds)));
    }
  }

  /**
   * Returns the status of the response to a denied call. The status is 429 if the decision is
   * {@link Decision#enforced() enforced}. Otherwise, it is 503, for example if {@link
   * io.github.penstock.core.OnUnavailable#DENY} denied the call.
   */
  public static int status(Decision denied) {
    return denied.enforced() ? 429 : 503;
  }

  /**
   * Returns the body of the response to a denied call. The body is a problem document (RFC 9457) in
   * ASCII. If the decision is {@link Decision#enforced() enforced}, the type is {@code
   * quota-exceeded}, which the draft defines, and {@code violated-policies} contains the name of
   * the tier that denied the call. Otherwise, the type is {@code temporary-reduced-capacity}.
   *
   * @throws IllegalArgumentException if the call was allowed, or if the decision was not made under
   *     this limit
   */
  public String problem(Decision denied) {
    return problem(denied, null);
  }

  /**
   * Returns the problem document with a {@code detail} for human readers, such as {@code "Your plan
   * has 100 calls a day."}
   *
   * @param detail any text, or null for no detail
   */
  public String problem(Decision denied, @Nullable String detail) {
    about(denied);
    if (denied.allowed()) {
      throw new IllegalArgumentException("denied must be a denial: " + denied);
    }
    boolean exceeded = denied.enforced();
    List<String> violated = exceeded ? List.of(names.get(denied.tier() - 1)) : List.of();
    return problem(exceeded, violated, detail);
  }

  static String problem(boolean exceeded, List<String> violated, @Nullable String detail) {
    String type = TYPES + (exceeded ? "quota-exceeded" : "temporary-reduced-capacity");
    String title = exceeded ? "Quota exceeded" : "Temporarily reduced capacity";
    return "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%s%s,\"violated-policies\":[%s]}"
        .formatted(
            type,
            title,
            exceeded ? "429" : "503",
            detail == null ? "" : ",\"detail\":" + FieldText.json(detail),
            violated.stream().map(FieldText::json).collect(Collectors.joining(",")));
  }

  private void draft11(
      Decision decision,
      LimitTier tier,
      byte @Nullable [] partitionKey,
      BiConsumer<String, String> field) {
    String partition = partitionKey == null ? "" : ";pk=" + FieldText.bytes(partitionKey);
    List<LimitTier> tiers = limit.tiers();
    field.accept(
        "RateLimit-Policy",
        IntStream.range(0, tiers.size())
            .mapToObj(i -> name(i) + quota(tiers.get(i)) + partition)
            .collect(Collectors.joining(", ")));
    if (decision.enforced()) {
      long more = more(tier, decision);
      String time = more == 0 ? "" : ";t=" + more;
      field.accept(
          "RateLimit", name(decision.tier() - 1) + ";r=" + decision.remaining() + time + partition);
    }
  }

  private String name(int tier) {
    return FieldText.string("policy", names.get(tier));
  }

  private String quota(LimitTier tier) {
    long window = QuotaClock.windowSeconds(limit.kind().refill(), tier);
    return ";q=" + tier.capacity() + unit + (window == 0 ? "" : ";w=" + window);
  }

  /* Writes the three numbers of the formats other than DRAFT_11. */
  static void figures(
      HeaderForm form, Decision decision, long resetSeconds, BiConsumer<String, String> field) {
    if (!decision.enforced()) {
      return;
    }
    if (form == HeaderForm.DRAFT_07) {
      field.accept(
          "RateLimit",
          "limit=%s, remaining=%s, reset=%s"
              .formatted(decision.limit(), decision.remaining(), resetSeconds));
      return;
    }
    String name = form == HeaderForm.DRAFT_06 ? "RateLimit" : "X-RateLimit";
    field.accept(name + "-Limit", Long.toString(decision.limit()));
    field.accept(name + "-Remaining", Long.toString(decision.remaining()));
    field.accept(name + "-Reset", Long.toString(resetSeconds));
  }

  /* These formats require a window, and a quota may occur only once. */
  private void oldPolicy(BiConsumer<String, String> field) {
    Map<Long, Long> windows = new TreeMap<>();
    for (LimitTier tier : limit.tiers()) {
      long window = QuotaClock.windowSeconds(limit.kind().refill(), tier);
      if (window > 0) {
        windows.merge(tier.capacity(), window, Math::max);
      }
    }
    if (!windows.isEmpty()) {
      field.accept(
          "RateLimit-Policy",
          windows.entrySet().stream()
              .map(policy -> policy.getKey() + ";w=" + policy.getValue())
              .collect(Collectors.joining(", ")));
    }
  }

  private long more(LimitTier tier, Decision decision) {
    return FieldText.seconds(QuotaClock.untilMore(limit.kind().refill(), tier, decision));
  }

  /* Returns these headers, or those of the share that a process enforces in an outage. */
  private RateLimitHeaders about(Decision decision) {
    int tiers = limit.tiers().size();
    long capacity = decision.tier() > tiers ? 0 : limit.tiers().get(decision.tier() - 1).capacity();
    if (capacity == decision.limit()) {
      return this;
    }
    /* The smallest number of processes for which each has this share of the capacity. */
    long processes = capacity / (decision.limit() + 1) + 1;
    if (decision.source() != DecisionSource.LOCAL
        || processes > MOST_PROCESSES
        || capacity / processes != decision.limit()) {
      throw new IllegalArgumentException("decision must be about " + limit + ": " + decision);
    }
    Limit share = OnUnavailable.local(Math.toIntExact(processes)).share(limit);
    return new RateLimitHeaders(share, names, form, unit);
  }
}
