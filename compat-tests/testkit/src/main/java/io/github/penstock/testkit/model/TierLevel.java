package io.github.penstock.testkit.model;

/** How much of a tier is used at one time. */
interface TierLevel {
  /** {@link #waitUs} of a cost over the limit. */
  long NEVER = -1;

  long limit();

  /** True if the stored field lay further ahead than a full tier reaches and was cut. */
  boolean cut();

  /** 0 if the cost fits, {@link #NEVER} if it is over the limit, else µs until it fits. */
  default long waitUs(long cost) {
    return cost > limit() ? NEVER : roomInUs(cost);
  }

  /** The decision for a cost that is not over the limit. */
  long roomInUs(long cost);

  /** The level after a cost that fits. */
  TierLevel charged(long cost);

  /** The level after giving units back, never below nothing. */
  TierLevel refunded(long units);

  long remaining();

  long resetUs();

  /** µs until the units used now have drained, for a tier that queues; otherwise 0. */
  default long backlogUs() {
    return 0;
  }

  boolean isUnused();

  /** The field that is stored. */
  String field();
}
