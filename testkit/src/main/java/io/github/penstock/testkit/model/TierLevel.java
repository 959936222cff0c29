package io.github.penstock.testkit.model;

/** How much of a tier is used at one time. */
sealed interface TierLevel permits WindowLevel, SlidingLevel, BucketLevel, IntervalLevel {
  /** {@link #waitUs} of a cost over the limit. */
  long NEVER = -1;

  long limit();

  /** True if the stored field lay further ahead than a full tier reaches and was cut. */
  boolean cut();

  /** 0 if the cost fits, {@link #NEVER} if it is over the limit, else µs until it fits. */
  long waitUs(long cost);

  /** The level after a cost that fits. */
  TierLevel charged(long cost);

  /** The level after giving units back, never below nothing. */
  TierLevel refunded(long units);

  long remaining();

  long resetUs();

  /** µs until what is used now has drained, for a tier that queues; else 0. */
  long backlogUs();

  boolean isUnused();

  /** The field that is stored. */
  String field();
}
