package io.github.penstock.local.internal;

/**
 * A sliding window. It stores the end of the open window, its used units, and those of the older
 * one, which count in proportion to the part that is still in sight: that part equals the remaining
 * time of the open window.
 */
final class FadingTier extends SubjectTier {
  private long keptEndUs;
  private long keptUsed;
  private long keptOlder;
  private long nowUs;
  private long sightUs;
  private long used;
  private long older;

  FadingTier(TierTerms terms) {
    super(terms);
  }

  @Override
  boolean read(TierTerms current, long now) {
    terms = current;
    nowUs = now;
    used = keptUsed;
    older = keptOlder;
    sightUs = used + older == 0 ? 0 : keptEndUs - now;
    if (sightUs > current.periodUs) {
      sightUs = current.periodUs;
      return true;
    }
    if (sightUs <= 0) {
      older = used;
      used = 0;
      sightUs += current.periodUs;
      if (older == 0 || sightUs <= 0) {
        older = 0;
        sightUs = 0;
      }
    }
    return false;
  }

  @Override
  long roomInUs(long wanted) {
    if (wanted <= left()) {
      return 0;
    }
    long free = terms.limit - used - wanted;
    return free >= 0
        ? sightUs - TierTerms.quotient(free, terms.periodUs, older)
        : sightUs + terms.periodUs - TierTerms.quotient(terms.limit - wanted, terms.periodUs, used);
  }

  /* Negative if the limit was lowered below the units that are used already. */
  private long left() {
    return terms.limit - used - (older == 0 ? 0 : fading());
  }

  /* The units that the older window counts, rounded up. */
  private long fading() {
    long down = TierTerms.quotient(older, sightUs, terms.periodUs);
    // The difference is less than a window, so it is correct even if the products overflow.
    return older * sightUs == down * terms.periodUs ? down : down + 1;
  }

  @Override
  void charge(long charged) {
    sightUs = used + older == 0 ? terms.periodUs : sightUs;
    used += charged;
  }

  @Override
  void refund(long freed) {
    used -= freed;
    if (used <= 0) {
      older += used;
      used = 0;
      if (older <= 0) {
        older = 0;
        sightUs = 0;
      }
    }
  }

  @Override
  void conclude() {
    remaining = Math.max(0, left());
    resetUs = used > 0 ? sightUs + terms.periodUs : sightUs;
  }

  @Override
  void write() {
    keptUsed = used;
    keptOlder = older;
    keptEndUs = nowUs + sightUs;
  }

  /* The time at which neither window counts determines which of the two it was. */
  @Override
  void deny(long free, long untilUnusedUs, long atUs) {
    long taken = Math.max(0, terms.limit - free);
    boolean open = untilUnusedUs > terms.periodUs;
    boolean all = (double) taken * terms.periodUs >= (double) terms.limit * untilUnusedUs;
    long fading = all ? terms.limit : TierTerms.quotient(taken, terms.periodUs, untilUnusedUs) + 1;
    keptUsed = open ? taken : 0;
    keptOlder = open || taken == 0 ? 0 : Math.min(terms.limit, fading);
    keptEndUs = atUs + Math.min(untilUnusedUs - (open ? terms.periodUs : 0), terms.periodUs);
  }

  @Override
  String text() {
    return keptUsed + keptOlder == 0 ? "0:0:0" : keptEndUs + ":" + keptUsed + ":" + keptOlder;
  }

  @Override
  void load(long[] numbers, int at) {
    keptEndUs = numbers[at];
    keptUsed = numbers[at + 1];
    keptOlder = numbers[at + 2];
  }

  @Override
  void store(long[] numbers, int at) {
    numbers[at] = keptEndUs;
    numbers[at + 1] = keptUsed;
    numbers[at + 2] = keptOlder;
  }
}
