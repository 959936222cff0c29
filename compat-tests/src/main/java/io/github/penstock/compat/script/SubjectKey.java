package io.github.penstock.compat.script;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;

/** The keys of subjects that need no escaping, as every adapter must make them. */
public final class SubjectKey {
  /** The prefix that the suite connects with. */
  public static final String PREFIX = "penstock-suite";

  private SubjectKey() {}

  /** The key of a subject under {@link #PREFIX}. */
  public static String of(String policy, String subject, Limit limit) {
    return PREFIX + ":" + policy + ":{" + subject + "}:" + LimitEncoding.of(limit).marker();
  }
}
