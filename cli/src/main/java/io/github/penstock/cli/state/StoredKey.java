package io.github.penstock.cli.state;

import org.jspecify.annotations.Nullable;

/**
 * The values that a server holds under a key, or two.
 *
 * @param value a character for each byte; null if there is no key
 * @param second the same of the second key
 * @param ttlMs as PTTL answers: -1 without an expiry
 * @param nowUs the server's time
 */
public record StoredKey(
    String key, @Nullable String value, @Nullable String second, long ttlMs, long nowUs) {
  /** True if one of two keys is not there: a drop-in begins anew then. */
  boolean isHalf() {
    return value == null || second == null;
  }
}
