package io.github.penstock.core;

/**
 * The kind of a failure, as returned by {@link PenstockException#kind()}. Use it in logs and
 * metrics, and to distinguish an outage from a configuration error.
 */
public enum FailureKind {
  /** The call was not sent because there was no connection. Nothing was charged. */
  NOT_SENT(true),
  /** The call was sent, but no answer arrived. It may have been charged. */
  NOT_ANSWERED(true),
  /**
   * The server replied that it cannot serve calls now, for example because it is loading or busy.
   * Nothing was charged.
   */
  UNAVAILABLE(true),
  /**
   * The configuration is wrong. The cause is the credentials, the certificate, the database, the
   * kind of deployment, the permissions, or a key of another type. Nothing was charged, unless the
   * message says that the call may have been charged.
   */
  MISCONFIGURED(false),
  /**
   * The server answers, but a resource of this process or of its client is exhausted, or the server
   * is out of memory. Nothing was charged. A failure also has this kind if the call was queued
   * behind many other calls and got no answer in time, although other calls were answered. That
   * call may have been charged, as the message says.
   */
  OVERLOADED(false),
  /** The cause of the failure is unknown. The call may have been charged. */
  UNKNOWN(false);

  private final boolean outage;

  FailureKind(boolean outage) {
    this.outage = outage;
  }

  /**
   * Returns whether this kind of failure is an outage. During an outage, {@link OnUnavailable}
   * determines the result of a call for units.
   */
  public boolean outage() {
    return outage;
  }
}
