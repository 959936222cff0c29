package io.github.penstock.core;

/**
 * The meaning of a failed call: for logs and metrics, and to distinguish an outage from a
 * configuration error ({@link PenstockException#kind()}).
 */
public enum FailureKind {
  /** The call never left this process, because it had no connection. Nothing was charged. */
  NOT_SENT(true),
  /** The call was sent and no answer arrived: it may have been charged. */
  NOT_ANSWERED(true),
  /** The server replied that it cannot serve now: it is loading, busy, ... Nothing was charged. */
  UNAVAILABLE(true),
  /**
   * The configuration is wrong: credentials, certificate, database, kind of deployment,
   * permissions, a key that holds something else. Nothing was charged.
   */
  MISCONFIGURED(false),
  /**
   * A bound of this process or of its client is full although the server answers, or the server's
   * memory is full; nothing was charged. Alternatively, a call was sent behind many others and got
   * no answer in time, although others did: then it may have been charged, as its message says.
   */
  OVERLOADED(false),
  /** The failure is unknown: the call may have been charged. */
  UNKNOWN(false);

  private final boolean outage;

  FailureKind(boolean outage) {
    this.outage = outage;
  }

  /**
   * Returns whether this is an outage: then {@link OnUnavailable} determines the outcome of the
   * call.
   */
  public boolean outage() {
    return outage;
  }
}
