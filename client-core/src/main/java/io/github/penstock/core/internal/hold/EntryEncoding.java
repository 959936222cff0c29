package io.github.penstock.core.internal.hold;

import io.github.penstock.core.limit.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The protocol's form of keys and limits. Safe for use by several threads. */
public interface EntryEncoding {
  /** The key of a group, or of one within it. */
  byte[] key(String policy, String marker, String group, @Nullable String within);

  /** The key of a receipt. */
  byte[] receipt(String group, String id);

  /** A rate's script, marker and numbers. */
  EncodedRate rate(Limit limit);

  /**
   * A rate in the form of its script. Immutable.
   *
   * @param script its name
   * @param marker the end of its keys
   * @param numbers those of all tiers
   */
  record EncodedRate(String script, String marker, List<String> numbers) {}
}
