package io.github.penstock.core.reserve;

/** The result of settling, cancelling or renewing a reservation. */
public enum SettleResult {
  /** The call is settled, cancelled or renewed, by this request or by an earlier one. */
  SETTLED,
  /**
   * The reservation no longer exists. Either it expired and its held units were charged at that
   * time, or the server lost it. Nothing was written.
   */
  RAN_OUT,
  /**
   * Nothing was sent because the call was denied or undecided, held nothing, or had already ended.
   */
  NOTHING_HELD,
  /**
   * The server did not answer, and {@code onUnavailable} or {@code onOverload} is not {@code
   * THROW}. If the request did not reach the server, the held units are charged when the
   * reservation expires.
   */
  UNDECIDED
}
