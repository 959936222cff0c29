package io.github.penstock.core;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of limiters. They are the same for every client. Create them with {@link #defaults()}
 * or with a {@link #builder()}, which starts with the defaults. Immutable.
 *
 * <pre>{@code
 * RateLimiterOptions options =
 *     RateLimiterOptions.builder()
 *         .deadline(Duration.ofMillis(200))
 *         .onUnavailable(OnUnavailable.ALLOW)
 *         .build();
 * }</pre>
 */
public final class RateLimiterOptions {
  private static final Pattern KEY_PART = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final RateLimiterOptions DEFAULTS = builder().build();
  private final Values values;

  private RateLimiterOptions(Values values) {
    this.values = values;
  }

  /** Returns the default options. */
  public static RateLimiterOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a builder that starts with the defaults. */
  public static Builder builder() {
    return new Builder(new Values());
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(values.copy());
  }

  /** Returns the prefix of every key, {@code penstock} by default. */
  public String prefix() {
    return values.prefix;
  }

  /**
   * Returns the prefix of every key of a policy, such as {@code penstock:api:}. Use it in ACL rules
   * and scans.
   *
   * @param policy 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   * @throws IllegalArgumentException if the policy name is invalid
   */
  public String keyPrefix(String policy) {
    return values.prefix + ":" + keyPart("policy", policy) + ":";
  }

  /** Returns the deadline of one call; 1 s by default. */
  public Duration deadline() {
    return values.deadline;
  }

  /**
   * Returns how calls for units are handled during an outage; {@link OnUnavailable#THROW} by
   * default.
   */
  public OnUnavailable onUnavailable() {
    return values.onUnavailable;
  }

  /**
   * Returns how calls for units are handled if a resource is exhausted; {@link OnOverload#DENY} by
   * default.
   */
  public OnOverload onOverload() {
    return values.onOverload;
  }

  /**
   * Returns whether these limiters throw an exception for every failure before their first
   * decision. The default is false.
   */
  public boolean throwUntilFirstDecision() {
    return values.throwUntilFirstDecision;
  }

  /**
   * Returns the executor on which stages complete. By default, it is null, and stages complete on
   * the client's own threads.
   */
  public @Nullable Executor completeOn() {
    return values.completeOn;
  }

  /**
   * Returns how long a denial can be repeated without a round trip; 100 ms by default. Zero means
   * that denials are not remembered.
   */
  public Duration rememberDenials() {
    return values.rememberDenials;
  }

  /** Returns the maximum number of remembered denials; 100,000 by default. */
  public int mostDenials() {
    return values.mostDenials;
  }

  /**
   * Returns how long the circuit breaker of an unresponsive node stays open. The default is zero,
   * which disables the circuit breaker.
   */
  public Duration circuitBreaker() {
    return values.circuitBreaker;
  }

  /** Returns whether checks of the server have their own connection; true by default. */
  public boolean verdictConnection() {
    return values.verdictConnection;
  }

  /** Returns whether calls of one subject can share trips; true by default. */
  public boolean shareTrips() {
    return values.shareTrips;
  }

  /** Returns whether calls use FCALL instead of EVALSHA; false by default. */
  public boolean functions() {
    return values.functions;
  }

  /** Returns whether {@link RateLimiter#peek} can use a replica; false by default. */
  public boolean peekOnReplicas() {
    return values.peekOnReplicas;
  }

  /** Returns the listeners, in the order in which they are called; none by default. Immutable. */
  public List<RateLimitListener> listeners() {
    return values.listeners;
  }

  private static String keyPart(String parameter, String part) {
    Objects.requireNonNull(part, parameter);
    if (!KEY_PART.matcher(part).matches()) {
      throw new IllegalArgumentException(
          parameter + " must be 1 to 64 of A-Z a-z 0-9 . _ -: \"" + part + "\"");
    }
    return part;
  }

  /** Returns the options in one line, for logs. */
  @Override
  public String toString() {
    return "RateLimiterOptions[prefix="
        + values.prefix
        + ", deadline="
        + values.deadline
        + ", onUnavailable="
        + values.onUnavailable
        + ", onOverload="
        + values.onOverload
        + ", throwUntilFirstDecision="
        + values.throwUntilFirstDecision
        + ", rememberDenials="
        + values.rememberDenials
        + ", mostDenials="
        + values.mostDenials
        + ", circuitBreaker="
        + values.circuitBreaker
        + ", verdictConnection="
        + values.verdictConnection
        + ", shareTrips="
        + values.shareTrips
        + ", functions="
        + values.functions
        + ", peekOnReplicas="
        + values.peekOnReplicas
        + ", completeOn="
        + values.completeOn
        + ", listeners="
        + values.listeners
        + "]";
  }

  /** Builds {@link RateLimiterOptions}; options that are not set keep their defaults. */
  public static final class Builder {
    private final Values values;

    private Builder(Values values) {
      this.values = values;
    }

    /**
     * Sets the prefix of every key, {@code penstock} by default.
     *
     * @param prefix 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
     * @throws IllegalArgumentException if the prefix is invalid
     */
    public Builder prefix(String prefix) {
      values.prefix = keyPart("prefix", prefix);
      return this;
    }

    /**
     * Sets the deadline for each call. The default is 1 s. The deadline covers waiting for a
     * connection, connecting, and every round trip and redirect. Each adapter documents its
     * exceptions to this rule.
     *
     * @param deadline 1 ms to 1 hour
     * @throws IllegalArgumentException if the deadline is out of bounds
     */
    public Builder deadline(Duration deadline) {
      Objects.requireNonNull(deadline, "deadline");
      if (deadline.compareTo(Duration.ofMillis(1)) < 0
          || deadline.compareTo(Duration.ofHours(1)) > 0) {
        throw new IllegalArgumentException("deadline must be from 1 ms to 1 hour: " + deadline);
      }
      values.deadline = deadline;
      return this;
    }

    /**
     * Sets how calls for units are handled during an outage; {@link OnUnavailable#THROW} by
     * default.
     */
    public Builder onUnavailable(OnUnavailable onUnavailable) {
      values.onUnavailable = Objects.requireNonNull(onUnavailable, "onUnavailable");
      return this;
    }

    /**
     * Sets how calls for units are handled if a resource is exhausted; {@link OnOverload#DENY} by
     * default.
     */
    public Builder onOverload(OnOverload onOverload) {
      values.onOverload = Objects.requireNonNull(onOverload, "onOverload");
      return this;
    }

    /**
     * Sets whether every failure is thrown, regardless of {@link #onUnavailable}, until these
     * limiters have made their first decision. The default is false, so a service can start and
     * serve requests while Redis is down.
     */
    public Builder throwUntilFirstDecision(boolean throwUntilFirstDecision) {
      values.throwUntilFirstDecision = throwUntilFirstDecision;
      return this;
    }

    /**
     * Sets the executor on which the stages of {@link AsyncRateLimiter}s complete and their
     * dependent actions run. By default, both use the client's own thread, and each connection has
     * only one such thread. If the executor rejects a task, its stage completes on the client's
     * thread.
     */
    public Builder completeOn(Executor executor) {
      values.completeOn = Objects.requireNonNull(executor, "completeOn");
      return this;
    }

    /**
     * Sets how long a denial can be repeated without a round trip; 100 ms by default. A denial is
     * repeated only if the server would certainly deny the same call. A refund or reset through the
     * same {@link RateLimiters} takes effect immediately. Any other refund or reset takes effect
     * within {@code atMost}. A remembered denial never causes a call to be allowed.
     *
     * @param atMost zero to 1 minute; with zero, every call goes to the server
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public Builder rememberDenials(Duration atMost) {
      Objects.requireNonNull(atMost, "rememberDenials");
      if (atMost.isNegative() || atMost.compareTo(Duration.ofMinutes(1)) > 0) {
        throw new IllegalArgumentException("rememberDenials must be from 0 to 1 minute: " + atMost);
      }
      values.rememberDenials = atMost;
      return this;
    }

    /**
     * Sets the maximum number of remembered denials; 100,000 by default. Each denial takes about
     * 150 bytes. A new denial can replace an older denial. In that case, the next call of the older
     * denial's subject takes a round trip.
     *
     * @param most 2 to 10,000,000
     * @throws IllegalArgumentException if the number is out of bounds
     */
    public Builder mostDenials(int most) {
      if (most < 2 || most > 10_000_000) {
        throw new IllegalArgumentException("mostDenials must be from 2 to 10000000: " + most);
      }
      values.mostDenials = most;
      return this;
    }

    /**
     * Sets how long the circuit breaker of a node stays open. It opens after 5 consecutive calls
     * get no answer, because there is no connection or because no reply arrives within the
     * deadline. While it is open, {@link #onUnavailable} determines the result of calls for units
     * immediately, and only one probe per {@code length} is sent. After the first answer, the
     * circuit breaker is half-open. The next two calls are sent, and it closes if both are
     * answered. In a cluster, each node has a separate circuit breaker if the client's transport
     * knows the node to which a call goes.
     *
     * @param length zero, which disables the circuit breaker, or 10 ms to 1 hour
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public Builder circuitBreaker(Duration length) {
      Objects.requireNonNull(length, "circuitBreaker");
      if (!length.isZero()
          && (length.compareTo(Duration.ofMillis(10)) < 0
              || length.compareTo(Duration.ofHours(1)) > 0)) {
        throw new IllegalArgumentException(
            "circuitBreaker must be zero or from 10 ms to 1 hour: " + length);
      }
      values.circuitBreaker = length;
      return this;
    }

    /**
     * Sets whether the check whether a server answers has its own connection to each server, in
     * addition to the client's connections; true by default. With false, the check is sent through
     * the client, behind the client's own calls. A burst of calls, or an application that keeps all
     * connections, can delay the check, and the delay can be mistaken for an outage, so that {@link
     * OnUnavailable#ALLOW} allows calls while the server answers.
     */
    public Builder verdictConnection(boolean verdictConnection) {
      values.verdictConnection = verdictConnection;
      return this;
    }

    /**
     * Sets whether calls for the same units of one subject wait while eight of them are under way,
     * and then go to the server together; true by default. Each gets the decision that it would
     * have got alone, so the server has less to do, and no accuracy is lost. If the reply to such a
     * trip is lost, all of its calls may have been charged. For leaky buckets and batches, and for
     * Redisson's clients of clusters, each call is sent on its own.
     */
    public Builder shareTrips(boolean shareTrips) {
      values.shareTrips = shareTrips;
      return this;
    }

    /**
     * Sets whether calls use FCALL instead of EVALSHA. FCALL requires Redis 7.0 or Valkey, and the
     * library that {@link RateLimiters#loadFunctions()} loads.
     */
    public Builder functions(boolean functions) {
      values.functions = functions;
      return this;
    }

    /**
     * Sets whether {@link RateLimiter#peek} can use a replica; requires Redis 7.0 or Valkey. A
     * replica can lag behind its master. Charges never go to a replica.
     */
    public Builder peekOnReplicas(boolean peekOnReplicas) {
      values.peekOnReplicas = peekOnReplicas;
      return this;
    }

    /** Adds a listener. Listeners are called in the order in which they were added. */
    public Builder listener(RateLimitListener listener) {
      Objects.requireNonNull(listener, "listener");
      values.listeners = Stream.concat(values.listeners.stream(), Stream.of(listener)).toList();
      return this;
    }

    /** Returns the options. */
    public RateLimiterOptions build() {
      return new RateLimiterOptions(values.copy());
    }
  }

  /* The fields of both options and builder; those of options never change. */
  private static final class Values implements Cloneable {
    private String prefix = "penstock";
    private Duration deadline = Duration.ofSeconds(1);
    private OnUnavailable onUnavailable = OnUnavailable.THROW;
    private OnOverload onOverload = OnOverload.DENY;
    private boolean throwUntilFirstDecision;
    private @Nullable Executor completeOn;
    private Duration rememberDenials = Duration.ofMillis(100);
    private int mostDenials = 100_000;
    private Duration circuitBreaker = Duration.ZERO;
    private boolean verdictConnection = true;
    private boolean shareTrips = true;
    private boolean functions;
    private boolean peekOnReplicas;
    private List<RateLimitListener> listeners = List.of();

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
