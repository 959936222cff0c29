package io.github.penstock.local;

/** A window that opens with a charge. It keeps when it ends, and what is used of it. */
final class EndingTier extends SubjectTier {
  private long keptEndUs;
  private long keptUsed;
  private long nowUs;
  private long leftUs;
  private long used;

  EndingTier(TierTerms terms) {
    super(terms);
  }

  @Override
  boolean read(TierTerms current, long now) {
    terms = current;
    nowUs = now;
    leftUs = keptUsed == 0 ? 0 : Math.max(0, keptEndUs - now);
    used = leftUs == 0 ? 0 : keptUsed;
    if (leftUs > current.periodUs) {
      leftUs = current.periodUs;
      return true;
    }
    return false;
  }

  @Override
  long roomInUs(long wanted) {
    return used + wanted <= terms.limit ? 0 : leftUs;
  }

  @Override
  void charge(long charged) {
    leftUs = used == 0 ? terms.periodUs : leftUs;
    used += charged;
  }

  @Override
  void refund(long freed) {
    used = Math.max(0, used - freed);
    leftUs = used == 0 ? 0 : leftUs;
  }

  @Override
  void conclude() {
    // A limit of the same window may be lower than what is used already.
    remaining = Math.max(0, terms.limit - used);
    resetUs = leftUs;
  }

  @Override
  void write() {
    keptUsed = used;
    keptEndUs = nowUs + leftUs;
  }

  @Override
  void deny(long free, long untilUnusedUs, long atUs) {
    keptUsed = Math.max(0, terms.limit - free);
    keptEndUs = atUs + Math.min(untilUnusedUs, terms.periodUs);
  }

  @Override
  String text() {
    return keptUsed == 0 ? "0:0" : keptEndUs + ":" + keptUsed;
  }

  @Override
  void load(long[] numbers, int at) {
    keptEndUs = numbers[at];
    keptUsed = numbers[at + 1];
  }

  @Override
  void store(long[] numbers, int at) {
    numbers[at] = keptEndUs;
    numbers[at + 1] = keptUsed;
  }
}
