package io.github.penstock.local.internal;

/**
 * A token or a leaky bucket. It stores the time at which it is empty, as a whole microsecond and
 * the parts of a unit that are left then; {@code terms.units} parts drain in a microsecond.
 */
final class DrainingTier extends SubjectTier {
  private long emptyUs;
  private long rest;
  private long nowUs;
  private long used;
  private long wholeUs;

  DrainingTier(TierTerms terms) {
    super(terms);
  }

  @Override
  boolean read(TierTerms current, long now) {
    terms = current;
    nowUs = now;
    long aheadUs = emptyUs - now;
    if (aheadUs < 0) {
      used = 0;
      return false;
    }
    if (aheadUs <= current.fullUs) {
      used = aheadUs * current.units + rest;
      if (used <= current.fullParts) {
        return false;
      }
    }
    used = current.fullParts;
    return true;
  }

  @Override
  long roomInUs(long wanted) {
    long excess = used - (terms.fullParts - wanted * terms.periodUs);
    return excess <= 0 ? 0 : TierTerms.roundedUp(excess, terms.units);
  }

  @Override
  void charge(long charged) {
    used += charged * terms.periodUs;
  }

  @Override
  void refund(long freed) {
    used = freed >= terms.limit ? 0 : Math.max(0, used - freed * terms.periodUs);
  }

  @Override
  void conclude() {
    remaining = terms.limit - TierTerms.roundedUp(used, terms.periodUs);
    wholeUs = used / terms.units;
    resetUs = wholeUs * terms.units == used ? wholeUs : wholeUs + 1;
  }

  @Override
  void write() {
    emptyUs = used == 0 ? 0 : nowUs + wholeUs;
    rest = used - wholeUs * terms.units;
  }

  @Override
  void deny(long free, long untilUnusedUs, long atUs) {
    nowUs = atUs;
    used = Math.max(0, terms.limit - free) * terms.periodUs;
    conclude();
    write();
  }

  @Override
  String text() {
    return rest == 0 ? Long.toString(emptyUs) : emptyUs + "+" + rest;
  }

  @Override
  void load(long[] numbers, int at) {
    emptyUs = numbers[at];
    rest = numbers[at + 1];
  }

  @Override
  void store(long[] numbers, int at) {
    numbers[at] = emptyUs;
    numbers[at + 1] = rest;
  }

  @Override
  long backlogUs() {
    return terms.queues ? TierTerms.roundedUp(used, terms.units) : 0;
  }
}
