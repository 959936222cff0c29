package io.github.penstock.compat.suite;

/** A mistake that an implementer of reservations could make. */
enum HoldMistake {
  NONE,

  /** Asks for each entry in a call of its own. */
  ONE_BY_ONE,

  /** Holds on to what nobody ended in words. */
  CLOSES_NOTHING,

  /** Charges the estimate of a call that is cancelled. */
  CANCEL_CHARGES,

  /** Settles no more than was held. */
  NEVER_BEYOND,

  /** Takes an entry that is not named for one that used nothing. */
  UNNAMED_IS_FREE,

  /** Makes an id of its own in place of the one that it is given. */
  OTHER_ID,

  /** Says of what ran out that it was settled. */
  LATE_IS_SETTLED,

  /** Says of what nobody decided that it was settled. */
  UNDECIDED_IS_SETTLED
}
