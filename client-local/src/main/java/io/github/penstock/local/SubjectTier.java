package io.github.penstock.local;

import io.github.penstock.core.limit.LimitKind;

/**
 * What one subject has used of one tier, as the scripts count it (docs/protocol.md, "The exact
 * arithmetic"). What is kept changes by {@link #write()} alone; everything else is about the time
 * of the last {@link #read}. Not safe for use by several threads.
 */
abstract sealed class SubjectTier permits DrainingTier, CountedTier, FadingTier {
  /** How many numbers are kept, at most. */
  static final int NUMBERS = 3;

  /** The numbers, as of the last {@link #read}. */
  TierTerms terms;

  /** Units that are free; set by {@link #conclude}. */
  long remaining;

  /** Microseconds until nothing is used; set by {@link #conclude}. */
  long resetUs;

  SubjectTier(TierTerms terms) {
    this.terms = terms;
  }

  /** A tier of which nothing is used. */
  static SubjectTier unused(LimitKind kind, TierTerms terms) {
    return switch (kind.refill()) {
      case EVENLY -> new DrainingTier(terms);
      case IN_BATCHES -> new CountedTier.BatchTier(terms);
      case AT_END -> new CountedTier.EndingTier(terms);
      case FADING -> new FadingTier(terms);
    };
  }

  /**
   * Looks at what is kept; returns whether it lay further ahead than it can, as the clock stepped
   * back, and was cut (rule P9).
   */
  abstract boolean read(TierTerms current, long nowUs);

  /** 0 if so many units fit now, else when, in microseconds; of at most the limit. */
  abstract long roomInUs(long wanted);

  /** Takes units for which there is room. */
  abstract void charge(long charged);

  /** Gives units back, at most as many as are used. */
  abstract void refund(long freed);

  /** Works out what is left, and when nothing will be used. */
  abstract void conclude();

  /** Keeps what the last call made of it. */
  abstract void write();

  /**
   * Keeps what a server's denial said.
   *
   * @param free units that were free
   * @param untilUnusedUs until nothing was used, above 0
   * @param atUs the time of the denial
   */
  abstract void deny(long free, long untilUnusedUs, long atUs);

  /** Keeps that nothing is used. */
  final void clear() {
    load(new long[NUMBERS], 0);
  }

  /** What is kept, as the scripts store it. */
  abstract String text();

  /** Keeps what a script stores. */
  final void parse(String text) {
    long[] numbers = new long[NUMBERS];
    int count = 0;
    for (String number : text.split("[:+]")) {
      numbers[count++] = Long.parseLong(number);
    }
    load(numbers, 0);
  }

  /** Keeps the numbers that a script stores, at {@code at} and after it; all 0 is unused. */
  abstract void load(long[] numbers, int at);

  /** The numbers that are kept, for {@link #load}. */
  abstract void store(long[] numbers, int at);

  /** Microseconds until what is used has drained, of a tier whose calls queue. */
  long backlogUs() {
    return 0;
  }
}
