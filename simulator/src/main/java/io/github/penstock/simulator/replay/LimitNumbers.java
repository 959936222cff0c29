package io.github.penstock.simulator.replay;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.testkit.model.ProtocolBounds;
import java.math.BigInteger;

/**
 * The numbers that are tried for an algorithm: the multiples of a step. It is 1, and more only
 * where a token or leaky bucket would not be exact: its capacity times its period in microseconds,
 * both without their common factor, must stay below 2^53.
 *
 * @param algorithm whose numbers they are
 * @param period as in the limit's text
 * @param step a power of ten
 * @param most the greatest multiple that may be tried
 */
record LimitNumbers(String algorithm, String period, long step, long most) {
  private static final long TEN = 10;

  /** The numbers that reach up to this one, or as far as they may. */
  static LimitNumbers upTo(long wanted, String algorithm, String period) {
    Limit any = LimitCandidate.of(algorithm + ":1/" + period).limit();
    long periodUs = any.tiers().get(0).periodMicros();
    long most = Math.min(wanted, Limit.MAX_UNITS);
    boolean exact = any.kind().refill() == RefillForm.EVENLY;
    long step = 1;
    while (exact && most > mostOf(step, periodUs) && step < Limit.MAX_UNITS) {
      step *= TEN;
    }
    long greatest = exact ? Math.min(mostOf(step, periodUs), Limit.MAX_UNITS) : Limit.MAX_UNITS;
    return new LimitNumbers(algorithm, period, step, greatest / step);
  }

  private static long mostOf(long step, long periodUs) {
    long common = BigInteger.valueOf(step).gcd(BigInteger.valueOf(periodUs)).longValue();
    return (ProtocolBounds.EXACT_END - 1) / (periodUs / common);
  }

  /** The limit of so many steps, burst equal to it. */
  LimitCandidate limit(long steps) {
    return LimitCandidate.of(algorithm + ":" + steps * step + "/" + period);
  }
}
