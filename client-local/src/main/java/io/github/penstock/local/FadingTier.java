package io.github.penstock.local;

/**
 * A window that slides along. It keeps when the open window ends, what is used of it, and what was
 * used of the older one, which counts with the part of it that is still in sight: as much as the
 * open one has left.
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

  /* Below 0 where the limit was lowered below what is used already. */
  private long left() {
    return terms.limit - used - (older == 0 ? 0 : fading());
  }

  /* What the older window counts, rounded up. */
  private long fading() {
    long down = TierTerms.quotient(older, sightUs, terms.periodUs);
    // The difference is less than a window, so it is right even where the products overflow.
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

  /* Whether it was the open or the older window follows from when neither counts any more. */
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
