package io.github.penstock.core;

/**
 * The class of a failure, for logs and metrics, and to distinguish an outage from a configuration
 * error ({@link PenstockException#kind()}).
 */
public enum FailureKind {
  /** The call never left this process, because there was no connection. Nothing was charged. */
  NOT_SENT(true),
  /** The call was sent, but no answer arrived: it may have been charged. */
  NOT_ANSWERED(true),
  /**
   * The server replied that it cannot serve calls now, for example because it is loading or busy.
   * Nothing was charged.
   */
  UNAVAILABLE(true),
  /**
   * The configuration is wrong: credentials, certificate, database, kind of deployment,
   * permissions, or a key of another type. Nothing was charged.
   */
  MISCONFIGURED(false),
  /**
   * A resource of this process or of its client is exhausted although the server answers, or the
   * server is out of memory; nothing was charged. This is also the kind of a call that was queued
   * behind many others and was not answered in time although others were; that call may have been
   * charged, as its message says.
   */
  OVERLOADED(false),
  /** The failure is unknown: the call may have been charged. */
  UNKNOWN(false);

  private final boolean outage;

  FailureKind(boolean outage) {
    this.outage = outage;
  }

  /**
   * Returns whether this is an outage; in an outage, {@link OnUnavailable} determines the result of
   * a call for units.
   */
  public boolean outage() {
    return outage;
  }
}
