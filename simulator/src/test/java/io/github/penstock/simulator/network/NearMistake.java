package io.github.penstock.simulator.network;

/** A mistake that somebody who builds a near layer could make. */
enum NearMistake {
  NONE,

  /** Lets a denial live from its answer on, and not from before its call. */
  ANSWER_FOR_SENT,

  /**
   * Takes what has passed since the call off the wait, and not what has passed since the answer.
   */
  SENT_FOR_ANSWER,

  /** Leaves the limit out of what is remembered. */
  LIMIT_LEFT_OUT,

  /** Gives the rest of a lease back. */
  LEASE_RETURNED,

  /** Hands a lease out before its call was answered. */
  LEASED_UNASKED,

  /** Lets a lease of a sliding window live as long as the window is in sight. */
  LIVES_FOR_RESET
}
