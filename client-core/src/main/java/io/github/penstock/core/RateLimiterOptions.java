package io.github.penstock.core;

import io.github.penstock.core.internal.Names;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How limiters behave, the same for every client; begins with {@link #defaults()}. Immutable.
 *
 * @param prefix what every key begins with, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; {@code penstock}
 *     unless told
 * @param deadline how long one call may take, 1 ms to 1 hour: waiting for a connection, connecting,
 *     every trip and redirect; 1 s unless told. Each adapter documents how far it can hold it
 * @param onUnavailable what a call does when no decision can be had; {@link OnUnavailable#THROW}
 *     unless told
 * @param functions whether scripts are called by FCALL, from the library that {@link
 *     RateLimiters#loadFunctions()} loads, and not by EVALSHA; needs Redis 7.0 or Valkey
 * @param peekOnReplicas whether {@link RateLimiter#peek} may ask a replica, which may lag; needs
 *     Redis 7.0 or Valkey. A charge never goes there
 * @param allowDuplicateCharges whether a client is accepted that may send a call again by itself
 *     after a lost reply, and so charge it twice
 * @param listener who sees each decision
 */
public record RateLimiterOptions(
    String prefix,
    Duration deadline,
    OnUnavailable onUnavailable,
    boolean functions,
    boolean peekOnReplicas,
    boolean allowDuplicateCharges,
    @Nullable RateLimitListener listener) {

  private static final RateLimiterOptions DEFAULTS =
      new RateLimiterOptions(
          "penstock", Duration.ofSeconds(1), OnUnavailable.THROW, false, false, false, null);

  /**
   * @throws IllegalArgumentException if the prefix or the deadline is out of bounds
   */
  public RateLimiterOptions {
    Names.check("prefix", prefix);
    if (deadline.compareTo(Duration.ofMillis(1)) < 0
        || deadline.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("deadline must be from 1 ms to 1 hour: " + deadline);
    }
  }

  /** What holds unless told. */
  public static RateLimiterOptions defaults() {
    return DEFAULTS;
  }

  /** These options with another prefix. */
  public RateLimiterOptions prefix(String prefix) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }

  /** These options with another deadline. */
  public RateLimiterOptions deadline(Duration deadline) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }

  /** These options with another choice for when no decision can be had. */
  public RateLimiterOptions onUnavailable(OnUnavailable onUnavailable) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }

  /** These options with calls by FCALL or, if false, by EVALSHA. */
  public RateLimiterOptions functions(boolean functions) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }

  /** These options with looks on replicas, or not. */
  public RateLimiterOptions peekOnReplicas(boolean peekOnReplicas) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }

  /** These options, accepting that a call may be charged more than once, or not. */
  public RateLimiterOptions allowDuplicateCharges(boolean allowDuplicateCharges) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }

  /** These options with a listener. */
  public RateLimiterOptions listener(RateLimitListener listener) {
    return new RateLimiterOptions(
        prefix,
        deadline,
        onUnavailable,
        functions,
        peekOnReplicas,
        allowDuplicateCharges,
        listener);
  }
}
