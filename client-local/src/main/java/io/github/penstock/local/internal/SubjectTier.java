package io.github.penstock.local.internal;

import io.github.penstock.core.limit.LimitKind;

/**
 * The usage of one tier by one subject, counted like the scripts (docs/protocol.md, "The exact
 * arithmetic"). Only {@link #write()} changes the stored state; all other values refer to the time
 * of the last {@link #read}. Not safe for use by several threads.
 */
abstract sealed class SubjectTier permits DrainingTier, CountedTier, FadingTier {
  /** The most numbers of a state. */
  static final int NUMBERS = 3;

  /** The numbers, as of the last {@link #read}. */
  TierTerms terms;

  /** Units that are free; set by {@link #conclude}. */
  long remaining;

  /** Microseconds until the tier is unused; set by {@link #conclude}. */
  long resetUs;

  SubjectTier(TierTerms terms) {
    this.terms = terms;
  }

  /** An unused tier. */
  static SubjectTier unused(LimitKind kind, TierTerms terms) {
    return switch (kind.refill()) {
      case EVENLY -> new DrainingTier(terms);
      case IN_BATCHES -> new CountedTier.BatchTier(terms);
      case AT_END -> new CountedTier.EndingTier(terms);
      case FADING -> new FadingTier(terms);
    };
  }

  /**
   * Reads the stored state; returns whether it was further ahead than possible, because the clock
   * stepped back, and was cut (rule P9).
   */
  abstract boolean read(TierTerms current, long nowUs);

  /**
   * 0 if this number of units, at most the limit, fits now, otherwise the microseconds until it
   * does.
   */
  abstract long roomInUs(long wanted);

  /** Takes units that fit. */
  abstract void charge(long charged);

  /** Refunds units, but no more than have been used. */
  abstract void refund(long freed);

  /** Computes the remaining units, and the time until the tier is unused. */
  abstract void conclude();

  /** Stores the state after the last call. */
  abstract void write();

  /**
   * Stores the state that a server's denial describes.
   *
   * @param free units that were free
   * @param untilUnusedUs microseconds until the tier is unused, above 0
   * @param atUs the time of the denial
   */
  abstract void deny(long free, long untilUnusedUs, long atUs);

  /** Stores the unused state. */
  final void clear() {
    load(new long[NUMBERS], 0);
  }

  /** The stored state in the scripts' format. */
  abstract String text();

  /** Stores a state in the scripts' format. */
  final void parse(String text) {
    long[] numbers = new long[NUMBERS];
    int count = 0;
    for (String number : text.split("[:+]")) {
      numbers[count++] = Long.parseLong(number);
    }
    load(numbers, 0);
  }

  /** Stores the numbers of a script's state, at {@code at} and after it; all 0 is unused. */
  abstract void load(long[] numbers, int at);

  /** The stored numbers, for {@link #load}. */
  abstract void store(long[] numbers, int at);

  /** Microseconds until the used units have drained, for a tier whose calls queue. */
  long backlogUs() {
    return 0;
  }
}
