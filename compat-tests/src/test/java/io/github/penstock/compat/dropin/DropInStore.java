package io.github.penstock.compat.dropin;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.StoredValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of a server on which no time passes. Not safe for use by several threads. */
final class DropInStore {
  private final Map<String, StoredValue> values = new HashMap<>();
  private boolean written;
  private boolean ttlKept;

  void put(String key, StoredValue value) {
    values.put(key, value);
  }

  StoredValue get(String key) {
    return values.getOrDefault(key, StoredValue.NOTHING);
  }

  /** Begins a call: nothing is written yet. */
  void begin() {
    written = false;
    ttlKept = false;
  }

  boolean isWritten() {
    return written;
  }

  boolean isTtlKept() {
    return ttlKept;
  }

  /** The bytes of a string, as hexadecimal digits; null without a key. */
  @Nullable String hex(String key) throws DropInError {
    StoredValue value = get(key);
    return switch (value.kind()) {
      case NOTHING -> null;
      case BINARY -> value.text();
      case STRING -> MessagePack.hex(String.valueOf(value.text()));
      case LIST -> throw new DropInError(ExpectedOutcome.WRONG_TYPE);
    };
  }

  /** The text of a string; null without a key. */
  @Nullable String text(String key) throws DropInError {
    hex(key);
    return get(key).text();
  }

  void set(String key, StoredValue value) {
    values.put(key, value);
    written = true;
  }

  /** A write that lets the time to live go on. */
  void setAndKeepTtl(String key, String text) {
    set(key, StoredValue.string(text, get(key).ttlMs()));
    ttlKept = true;
  }
}
