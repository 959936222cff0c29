package io.github.penstock.local.internal;

/**
 * A tier that stores the number of used units and one time: that of the next batch, or the end of
 * the window.
 */
abstract sealed class CountedTier extends SubjectTier {
  /** Units that are used. */
  long used;

  /** Microseconds until that time; 0 if the tier is unused. */
  long dueUs;

  private long keptUsed;
  private long keptUs;
  private long nowUs;

  CountedTier(TierTerms terms) {
    super(terms);
  }

  @Override
  final boolean read(TierTerms current, long now) {
    terms = current;
    nowUs = now;
    used = keptUsed;
    dueUs = used == 0 ? 0 : keptUs - now;
    if (dueUs > current.periodUs) {
      dueUs = current.periodUs;
      return true;
    }
    if (used > 0 && dueUs <= 0) {
      passed();
    }
    return false;
  }

  /** The time has passed: {@link #dueUs} is not above 0, and some units are used. */
  abstract void passed();

  @Override
  final void charge(long charged) {
    dueUs = used == 0 ? terms.periodUs : dueUs;
    used += charged;
  }

  @Override
  final void refund(long freed) {
    used = Math.max(0, used - freed);
    dueUs = used == 0 ? 0 : dueUs;
  }

  @Override
  final void write() {
    keptUsed = used;
    keptUs = nowUs + dueUs;
  }

  @Override
  final void deny(long free, long untilUnusedUs, long atUs) {
    keptUsed = Math.max(0, terms.limit - free);
    keptUs = atUs + firstUs(untilUnusedUs);
  }

  /** Microseconds until that time, given the microseconds until the tier is unused. */
  abstract long firstUs(long untilUnusedUs);

  @Override
  final String text() {
    return keptUsed == 0 ? "0:0" : keptUs + ":" + keptUsed;
  }

  @Override
  final void load(long[] numbers, int at) {
    keptUs = numbers[at];
    keptUsed = numbers[at + 1];
  }

  @Override
  final void store(long[] numbers, int at) {
    numbers[at] = keptUs;
    numbers[at + 1] = keptUsed;
  }

  /** A bucket that gains whole batches at whole intervals: its time is that of the next batch. */
  static final class BatchTier extends CountedTier {
    BatchTier(TierTerms terms) {
      super(terms);
    }

    @Override
    void passed() {
      long came = 1 - dueUs / terms.periodUs;
      boolean full = came >= TierTerms.roundedUp(used, terms.units);
      used = full ? 0 : used - came * terms.units;
      dueUs = full ? 0 : dueUs + came * terms.periodUs;
    }

    @Override
    long roomInUs(long wanted) {
      long lacking = used + wanted - terms.limit;
      return lacking <= 0 ? 0 : dueUs + (lacking - 1) / terms.units * terms.periodUs;
    }

    @Override
    void conclude() {
      remaining = terms.limit - used;
      resetUs = used == 0 ? 0 : dueUs + (used - 1) / terms.units * terms.periodUs;
    }

    @Override
    long firstUs(long untilUnusedUs) {
      return (untilUnusedUs - 1) % terms.periodUs + 1;
    }
  }

  /** A window that opens with a charge: its time is when it ends. */
  static final class EndingTier extends CountedTier {
    EndingTier(TierTerms terms) {
      super(terms);
    }

    @Override
    void passed() {
      used = 0;
      dueUs = 0;
    }

    @Override
    long roomInUs(long wanted) {
      return used + wanted <= terms.limit ? 0 : dueUs;
    }

    @Override
    void conclude() {
      // A limit of the same window may be lower than the units that are used already.
      remaining = Math.max(0, terms.limit - used);
      resetUs = dueUs;
    }

    @Override
    long firstUs(long untilUnusedUs) {
      return Math.min(untilUnusedUs, terms.periodUs);
    }
  }
}
