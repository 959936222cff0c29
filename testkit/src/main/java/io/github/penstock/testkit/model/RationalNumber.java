package io.github.penstock.testkit.model;

import java.math.BigInteger;

/**
 * An exact fraction of two integers of any size, reduced, with a positive denominator.
 *
 * @param numerator any integer
 * @param denominator at least 1, without a common divisor with the numerator
 */
record RationalNumber(BigInteger numerator, BigInteger denominator)
    implements Comparable<RationalNumber> {
  static final RationalNumber ZERO = of(0);

  RationalNumber {
    if (denominator.signum() <= 0 || !divisor(numerator, denominator).equals(BigInteger.ONE)) {
      throw new IllegalArgumentException(
          numerator + "/" + denominator + " must be reduced, with a positive denominator");
    }
  }

  /* Most numbers are small, and this is where most of the model's time goes. */
  private static BigInteger divisor(BigInteger numerator, BigInteger denominator) {
    if (denominator.equals(BigInteger.ONE)) {
      return BigInteger.ONE;
    }
    if (numerator.bitLength() > 62 || denominator.bitLength() > 62) {
      return numerator.gcd(denominator);
    }
    long a = Math.abs(numerator.longValue());
    long b = Math.abs(denominator.longValue());
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return BigInteger.valueOf(a);
  }

  static RationalNumber of(long value) {
    return new RationalNumber(BigInteger.valueOf(value), BigInteger.ONE);
  }

  /** The fraction numerator / denominator; the denominator must not be 0. */
  static RationalNumber of(BigInteger numerator, BigInteger denominator) {
    BigInteger divisor = divisor(numerator, denominator);
    if (denominator.signum() < 0) {
      divisor = divisor.negate();
    }
    return new RationalNumber(numerator.divide(divisor), denominator.divide(divisor));
  }

  static RationalNumber of(long numerator, long denominator) {
    return of(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  RationalNumber plus(RationalNumber other) {
    return of(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  RationalNumber minus(RationalNumber other) {
    return plus(new RationalNumber(other.numerator.negate(), other.denominator));
  }

  RationalNumber times(RationalNumber other) {
    return of(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  RationalNumber dividedBy(RationalNumber other) {
    return of(numerator.multiply(other.denominator), denominator.multiply(other.numerator));
  }

  /** The largest integer that is not greater; fails if it does not fit a long. */
  long floor() {
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    BigInteger floor = parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    return floor.longValueExact();
  }

  /** The smallest integer that is not less; fails if it does not fit a long. */
  long ceil() {
    return -new RationalNumber(numerator.negate(), denominator).floor();
  }

  RationalNumber max(RationalNumber other) {
    return compareTo(other) >= 0 ? this : other;
  }

  RationalNumber min(RationalNumber other) {
    return compareTo(other) <= 0 ? this : other;
  }

  boolean isZero() {
    return numerator.signum() == 0;
  }

  @Override
  public int compareTo(RationalNumber other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  @Override
  public String toString() {
    return denominator.equals(BigInteger.ONE)
        ? numerator.toString()
        : numerator + "/" + denominator;
  }
}
