package io.github.penstock.simulator.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Records everything that was admitted and answered in a simulation, and the rules that it breaks.
 */
final class NearWitness {
  private record Admission(long nanos, long units) {}

  private final List<Admission> admissions = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private int remembered;
  private long leased;

  /** Units were admitted at a time: by the server, or handed out here. */
  void admitted(long nanos, long units) {
    admissions.add(new Admission(nanos, units));
  }

  /** A rule must hold. */
  void holds(boolean rule, String what) {
    if (!rule) {
      broken.add(what);
    }
  }

  void toldAgain() {
    remembered++;
  }

  void handedOut(long units) {
    leased += units;
  }

  /** The rules that were broken, each with what happened. */
  List<String> broken() {
    return broken;
  }

  /** How many denials were told again. */
  int remembered() {
    return remembered;
  }

  /** How many units were handed out without asking. */
  long leased() {
    return leased;
  }

  /**
   * L3: no interval admits more than the bucket and what comes in, and in the life of a lease. A
   * meter that leaks what comes in is as full as the fullest interval that ends there.
   */
  void bucketHolds(long capacity, long perSecond, long atMostNanos) {
    long level = 0;
    long lastNanos = 0;
    for (Admission admission : sorted()) {
      level = Math.max(0, level - perSecond * (admission.nanos() - lastNanos));
      level += admission.units() * 1_000_000_000;
      lastNanos = admission.nanos();
      holds(
          level <= capacity * 1_000_000_000 + perSecond * atMostNanos,
          "L3 an interval admits no more than the bucket and what comes in");
    }
  }

  private List<Admission> sorted() {
    return admissions.stream().sorted(Comparator.comparingLong(Admission::nanos)).toList();
  }

  /** L2: the units that were admitted within a window. */
  long admittedBetween(long fromNanos, long toNanos) {
    return admissions.stream()
        .filter(admission -> admission.nanos() >= fromNanos && admission.nanos() < toNanos)
        .mapToLong(Admission::units)
        .sum();
  }
}
