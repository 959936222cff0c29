package io.github.penstock.simulator.network;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The doings of processes and what happens to them, in a simulation.
 *
 * @param limits of the one key that all ask for
 * @param lease how the processes lease; null if they do not
 * @param remembered how long denials are remembered
 * @param calls of each process
 * @param mostCost costs are from 1 to this
 * @param apartNanos calls of a process are apart by up to this
 * @param slowestNanos of a way to the server or back
 * @param partsPerMillion by how much clocks differ from the server's at most
 * @param lost one of so many answers is lost; 0 for none
 * @param surprises one of so many calls comes with a refund, a lost key or a step of the server's
 *     clock; 0 for none
 */
record NearTraffic(
    List<Limit> limits,
    @Nullable LeaseTerms lease,
    Duration remembered,
    int calls,
    int mostCost,
    long apartNanos,
    long slowestNanos,
    long partsPerMillion,
    int lost,
    int surprises) {
  static final long DEADLINE_NANOS = 200_000_000;

  /** Without leases, losses and surprises, within the proviso. */
  static NearTraffic of(List<Limit> limits) {
    return new NearTraffic(
        limits, null, Duration.ofMillis(100), 60, 4, 20_000_000, 30_000_000, 999, 0, 0);
  }

  NearTraffic leasing(long most, Duration atMost) {
    return new NearTraffic(
        limits,
        new LeaseTerms(most, atMost),
        remembered,
        10 * calls,
        mostCost,
        apartNanos / 10,
        slowestNanos,
        partsPerMillion,
        10,
        surprises);
  }

  NearTraffic drifting(long ppm) {
    return new NearTraffic(
        limits, lease, remembered, calls, mostCost, apartNanos, slowestNanos, ppm, lost, surprises);
  }

  NearTraffic surprised(int oneOf) {
    return new NearTraffic(
        limits,
        lease,
        remembered,
        calls,
        mostCost,
        apartNanos,
        slowestNanos,
        partsPerMillion,
        lost,
        oneOf);
  }
}
