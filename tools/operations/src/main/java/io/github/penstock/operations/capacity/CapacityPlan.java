package io.github.penstock.operations.capacity;

import java.util.List;

/**
 * The demand of a load on servers that share its subjects evenly. Every request asks each of the
 * limits, and is allowed.
 *
 * @param limits the limits, at least one
 * @param subjects subjects that have a key at the same time, 1 to 10^12
 * @param perSecond requests a second, 1 to 10^9
 * @param processes processes that ask, 1 to 10^6
 * @param micros µs of a server's main thread for a call of one tier, above 0
 */
public record CapacityPlan(
    List<LimitFootprint> limits, long subjects, long perSecond, int processes, double micros) {
  /** µs for a call of one tier that comes by itself, which docs/scale.md measured elsewhere. */
  public static final double ASSUMED_MICROS = 15;

  /** The least and the greatest ratio to a call in a batch: docs/scale.md. */
  public static final double LEAST_BY_ITSELF = 2;

  public static final double MOST_BY_ITSELF = 3.5;

  /** The part of it that each further tier adds, measured by the same. */
  public static final double PART_OF_A_TIER = 1.0 / 15;

  /** The part of a thread that is planned for: beyond it, waiting for the thread grows fast. */
  public static final double PART_OF_A_THREAD = 0.6;

  /* Ethernet, IP and TCP with a timestamp. */
  private static final int FRAME_BYTES = 66;

  public CapacityPlan {
    limits = List.copyOf(limits);
  }

  /** This load if a call of each limit takes this many µs on average. */
  public CapacityPlan taking(double microsOfACall) {
    double one = microsOfACall * limits.size() / parts();
    return new CapacityPlan(limits, subjects, perSecond, processes, one);
  }

  /** µs of a server's thread for a request. */
  public double requestMicros() {
    return micros * parts();
  }

  private double parts() {
    return limits.stream()
        .mapToDouble(each -> 1 + PART_OF_A_TIER * (each.limit().tiers().size() - 1))
        .sum();
  }

  /**
   * Requests a second that one server takes, and the most of one subject: one key has one thread.
   */
  public long perSecondOfServer() {
    return (long) Math.floor(PART_OF_A_THREAD * 1_000_000 / requestMicros());
  }

  /** How many servers it takes by their time, at least 1. */
  public long servers() {
    return Math.max(1, divided(perSecond, Math.max(1, perSecondOfServer())));
  }

  /** Bytes of a subject, its share of the tables included. */
  public double subjectBytes(MeasuredMemory server) {
    return limits.stream().mapToDouble(each -> each.bytesOn(server)).sum();
  }

  /** Bytes of a request and its answers, without the network's own. */
  public long wireBytes() {
    return limits.stream().mapToLong(each -> each.requestBytes() + each.replyBytes()).sum();
  }

  /** This load with a separate frame for each call and each answer. */
  public long framedBytes() {
    return wireBytes() + 2L * FRAME_BYTES * limits.size();
  }

  /** Bytes that an allowed request sends to each replica and appends to the AOF. */
  public long replicatedBytes() {
    return limits.stream().mapToLong(LimitFootprint::replicatedBytes).sum();
  }

  private static long divided(long number, long by) {
    return (number + by - 1) / by;
  }
}
