package io.github.penstock.core.http;

/**
 * The format of the header fields that describe a limit to a client. The IETF drafts define
 * different formats.
 */
public enum HeaderForm {
  /**
   * {@code RateLimit} and {@code RateLimit-Policy} as defined in
   * draft-ietf-httpapi-ratelimit-headers-11 (May 2026). Drafts 08 to 10 have the same syntax.
   */
  DRAFT_11,
  /** {@code RateLimit: limit=100, remaining=99, reset=1} and {@code RateLimit-Policy: 100;w=10}. */
  DRAFT_07,
  /** {@code RateLimit-Limit}, {@code -Remaining}, {@code -Reset} and {@code -Policy}. */
  DRAFT_06,
  /**
   * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset}. The
   * reset is the number of whole seconds until the limit is back at full capacity.
   */
  X_RATE_LIMIT
}
