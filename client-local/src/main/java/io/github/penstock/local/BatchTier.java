package io.github.penstock.local;

/**
 * A bucket that gains whole batches at whole intervals. It keeps when the next batch comes, and
 * what is missing until then.
 */
final class BatchTier extends SubjectTier {
  private long keptNextUs;
  private long keptMissing;
  private long nowUs;
  private long dueUs;
  private long missing;

  BatchTier(TierTerms terms) {
    super(terms);
  }

  @Override
  boolean read(TierTerms current, long now) {
    terms = current;
    nowUs = now;
    missing = keptMissing;
    dueUs = missing == 0 ? 0 : keptNextUs - now;
    if (dueUs > current.periodUs) {
      dueUs = current.periodUs;
      return true;
    }
    if (missing > 0 && dueUs <= 0) {
      long came = 1 - dueUs / current.periodUs;
      boolean full = came >= TierTerms.roundedUp(missing, current.units);
      missing = full ? 0 : missing - came * current.units;
      dueUs = full ? 0 : dueUs + came * current.periodUs;
    }
    return false;
  }

  @Override
  long roomInUs(long wanted) {
    long lacking = missing + wanted - terms.limit;
    return lacking <= 0 ? 0 : dueUs + (lacking - 1) / terms.units * terms.periodUs;
  }

  @Override
  void charge(long charged) {
    dueUs = missing == 0 ? terms.periodUs : dueUs;
    missing += charged;
  }

  @Override
  void refund(long freed) {
    missing = Math.max(0, missing - freed);
    dueUs = missing == 0 ? 0 : dueUs;
  }

  @Override
  void conclude() {
    remaining = terms.limit - missing;
    resetUs = missing == 0 ? 0 : dueUs + (missing - 1) / terms.units * terms.periodUs;
  }

  @Override
  void write() {
    keptMissing = missing;
    keptNextUs = nowUs + dueUs;
  }

  @Override
  void deny(long free, long untilUnusedUs, long atUs) {
    keptMissing = Math.max(0, terms.limit - free);
    keptNextUs = atUs + (untilUnusedUs - 1) % terms.periodUs + 1;
  }

  @Override
  String text() {
    return keptMissing == 0 ? "0:0" : keptNextUs + ":" + keptMissing;
  }

  @Override
  void load(long[] numbers, int at) {
    keptNextUs = numbers[at];
    keptMissing = numbers[at + 1];
  }

  @Override
  void store(long[] numbers, int at) {
    numbers[at] = keptNextUs;
    numbers[at + 1] = keptMissing;
  }
}
