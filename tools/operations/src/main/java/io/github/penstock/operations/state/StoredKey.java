package io.github.penstock.operations.state;

import io.github.penstock.operations.node.NodeConnection;
import io.github.penstock.testkit.resp.ServerClock;
import org.jspecify.annotations.Nullable;

/**
 * The value that a server holds under a key.
 *
 * @param value a character for each byte; null if the key is missing
 * @param ttlMs as PTTL answers: -1 without an expiry
 * @param nowUs the server's time
 */
public record StoredKey(String key, @Nullable String value, long ttlMs, long nowUs) {
  /** Reads it on the server that owns the key. */
  public static StoredKey on(NodeConnection owner, String key) {
    Object value = owner.expect("GET", key);
    return new StoredKey(
        key,
        value == null ? null : value.toString(),
        owner.integer("PTTL", key),
        ServerClock.nowUs(owner));
  }
}
