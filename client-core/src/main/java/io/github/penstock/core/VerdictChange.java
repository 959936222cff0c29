package io.github.penstock.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A change of the verdict on a server, as reported to a {@link RateLimitListener}. The verdict
 * determines whether a late call is an outage or an overload. Immutable.
 *
 * @param node the name of the server, as far as the client knows it
 * @param verdict the new verdict
 * @param before the previous verdict
 * @param lasted how long the previous verdict lasted
 * @param refusal why the server refuses the connection for the check, if the verdict is {@link
 *     Verdict#REFUSED}, or if it is still {@link Verdict#UP} because calls are answered, which is
 *     reported once; otherwise null
 */
public record VerdictChange(
    String node,
    Verdict verdict,
    Verdict before,
    Duration lasted,
    @Nullable RuntimeException refusal) {
  /** The verdicts on a server. */
  public enum Verdict {
    /** The server answers. A late call is an overload. */
    UP,
    /** The server does not answer, or nothing listens at its address. A late call is an outage. */
    SILENT,
    /**
     * The server itself refuses the connection for the check, and answers no calls. A late call
     * throws an exception if the reason is the password or the certificate; if it is the limit of
     * clients, it is an outage.
     */
    REFUSED
  }
}
