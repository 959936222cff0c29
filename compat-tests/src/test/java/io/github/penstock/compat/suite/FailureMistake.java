package io.github.penstock.compat.suite;

/** A mistake that somebody who writes an adapter could make about what fails. */
enum FailureMistake {
  NONE,

  /** Takes a refused password for a server that cannot serve now. */
  OPENS_FOR_PASSWORD,

  /** Takes a server without memory for one that cannot serve now. */
  OPENS_FOR_FULL_MEMORY,

  /** Takes a server that speaks TLS for one that does not answer. */
  OPENS_FOR_ALERT,

  /** Takes its own full bound for an outage, while the server answers. */
  OPENS_FOR_FULL_BOUND,

  /** Says of a call without a connection that it may have been charged. */
  SAYS_IT_WAS_SENT,

  /** Does not say which password no message may show. */
  SHOWS_PASSWORD
}
