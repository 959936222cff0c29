package io.github.penstock.spring.internal.settings;

import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.http.HeaderForm;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties. An unknown property prevents the start, so that typing errors are found.
 * Immutable.
 *
 * @param enabled Whether policies are enforced; false switches all of them off.
 * @param client Redis client to use, if the application has several.
 * @param redis Server of the limits, if it is not the application's.
 * @param prefix Prefix of every key.
 * @param deadline Deadline of a decision, 1 ms to 1 h.
 * @param onUnavailable Outcome in an outage: "allow" lets requests pass, "deny" and "throw" answer
 *     503, "local" enforces the limit in each process.
 * @param onOverload Outcome when a bound is full while Redis answers.
 * @param rememberDenials Longest time for which a denial is repeated without a round trip, 0 to 1
 *     m.
 * @param mostDenials Most denials that are remembered, 2 to 10,000,000.
 * @param circuitBreaker Time for which an unresponsive node is bypassed, 0 or 10 ms to 1 h.
 * @param verdictConnection Whether checks of the server have their own connection; false sends them
 *     through the client.
 * @param shareTrips Whether calls of one subject can share trips to the server.
 * @param functions Whether scripts are called as functions, which must be loaded.
 * @param headers Form of the RateLimit fields of responses.
 * @param startupWait Longest wait for the first decision, before the application is ready.
 * @param changeLimits Whether Actuator's endpoint, with unrestricted access, can change limits of
 *     this process, and switch its policies off and on.
 * @param policies Policies of HTTP requests, by name.
 */
@ConfigurationProperties(prefix = "penstock", ignoreUnknownFields = false)
public record PenstockProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Client client,
    @DefaultValue RedisServer redis,
    @DefaultValue("penstock") String prefix,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("throw") OnUnavailable onUnavailable,
    @DefaultValue("deny") OnOverload onOverload,
    @DefaultValue("100ms") Duration rememberDenials,
    @DefaultValue("100000") int mostDenials,
    @DefaultValue("0") Duration circuitBreaker,
    @DefaultValue("true") boolean verdictConnection,
    @DefaultValue("true") boolean shareTrips,
    @DefaultValue("false") boolean functions,
    @DefaultValue("draft-11") Headers headers,
    @DefaultValue("10s") Duration startupWait,
    @DefaultValue("false") boolean changeLimits,
    @DefaultValue Map<String, PolicyProperties> policies) {
  /** The shortest deadline of any decision. */
  public Duration shortestDeadline() {
    return policies.values().stream()
        .map(PolicyProperties::deadline)
        .filter(Objects::nonNull)
        .reduce(deadline, (a, b) -> a.compareTo(b) < 0 ? a : b);
  }

  /**
   * The server of the limits, if it is not the application's: an address or a bean.
   *
   * @param url Address, such as "rediss://user:password@limits:6379", "redis-cluster://..." or
   *     "redis-sentinel://...#master"; the library that penstock.client names, or the only
   *     available one, connects to it.
   * @param bean Name of a bean: a LettuceConnectionFactory, a client of Jedis 8, or a
   *     RedissonClient.
   */
  public record RedisServer(@Nullable String url, @Nullable String bean) {}

  /** The clients. */
  public enum Client {
    /** The connection of Spring's factory for Lettuce. */
    LETTUCE,
    /** A client of Jedis 8: the application's, or one created from Spring's connection details. */
    JEDIS,
    /** The application's client of Redisson. */
    REDISSON,
    /** None: limits in the memory of this process, for development. */
    LOCAL
  }

  /** The forms of the RateLimit fields. */
  public enum Headers {
    /** {@link HeaderForm#DRAFT_11}. */
    DRAFT_11(HeaderForm.DRAFT_11),
    /** {@link HeaderForm#DRAFT_07}. */
    DRAFT_07(HeaderForm.DRAFT_07),
    /** {@link HeaderForm#DRAFT_06}. */
    DRAFT_06(HeaderForm.DRAFT_06),
    /** {@link HeaderForm#X_RATE_LIMIT}. */
    X_RATE_LIMIT(HeaderForm.X_RATE_LIMIT),
    /** Only {@code Retry-After}. */
    NONE(null);

    private final @Nullable HeaderForm form;

    Headers(@Nullable HeaderForm form) {
      this.form = form;
    }

    public @Nullable HeaderForm form() {
      return form;
    }
  }
}
