package io.github.penstock.core;

/**
 * What a failed call means: for logs, metrics, and to tell an outage from a mistake ({@link
 * PenstockException#kind()}).
 */
public enum FailureKind {
  /** The call never left this process: there is no connection. Nothing was charged. */
  NOT_SENT(true),
  /** The call was sent and no answer came: it may have been charged. */
  NOT_ANSWERED(true),
  /** The server answered that it cannot serve now: it is loading, busy, ... Nothing was charged. */
  UNAVAILABLE(true),
  /**
   * Something is set up wrong: credentials, certificate, database, kind of deployment, permissions,
   * a key that holds something else. Nothing was charged.
   */
  MISCONFIGURED(false),
  /**
   * A bound of this process or of its client is full although the server answers, or the server's
   * memory is full; nothing was charged. Or a call was sent behind so many others that no answer
   * came in time, although others are answered: then it may have been charged, as its message says.
   */
  OVERLOADED(false),
  /** A failure that is in no list: the call may have been charged. */
  UNKNOWN(false);

  private final boolean outage;

  FailureKind(boolean outage) {
    this.outage = outage;
  }

  /** Returns whether it is an outage: then {@link OnUnavailable} says what the call ends with. */
  public boolean outage() {
    return outage;
  }
}
