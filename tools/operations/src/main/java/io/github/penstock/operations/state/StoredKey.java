package io.github.penstock.operations.state;

import io.github.penstock.operations.node.NodeConnection;
import io.github.penstock.testkit.resp.ServerClock;
import org.jspecify.annotations.Nullable;

/**
 * The values that a server holds under a key, or two.
 *
 * @param value a character for each byte; null if the key is missing
 * @param second the same of the second key
 * @param ttlMs as PTTL answers: -1 without an expiry
 * @param nowUs the server's time
 */
public record StoredKey(
    String key, @Nullable String value, @Nullable String second, long ttlMs, long nowUs) {
  /** Reads them on the server that owns the keys; {@code second} is null if there is only one. */
  public static StoredKey on(NodeConnection owner, String key, @Nullable String second) {
    return new StoredKey(
        key,
        value(owner, key),
        second == null ? null : value(owner, second),
        owner.integer("PTTL", key),
        ServerClock.nowUs(owner));
  }

  private static @Nullable String value(NodeConnection owner, String key) {
    Object value = owner.expect("GET", key);
    return value == null ? null : value.toString();
  }

  /** True if one of two keys is not there: a drop-in begins anew then. */
  boolean isHalf() {
    return value == null || second == null;
  }
}
