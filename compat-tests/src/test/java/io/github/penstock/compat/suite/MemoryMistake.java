package io.github.penstock.compat.suite;

/** A mistake that an implementer of answers without a trip could make. */
enum MemoryMistake {
  NONE,

  /** Denies any cost of a subject that was denied one. */
  COST_LEFT_OUT,

  /** Denies under any limit what was denied under one. */
  LIMIT_LEFT_OUT,

  /** Never forgets by itself. */
  FOR_GOOD,

  /** Remembers denials over its own refunds. */
  DEAF_TO_REFUNDS,

  /** Forgets what there is before a refund, and not what comes while it is on its way. */
  FORGETS_BEFORE,

  /** Forgets only when a refund was answered. */
  FORGETS_ANSWERED,

  /** Gives each limiter a memory of its own. */
  PER_LIMITER,

  /** Remembers everything. */
  UNBOUNDED,

  /** Hands out a unit when an answer is lost. */
  LOST_IS_LEASED
}
