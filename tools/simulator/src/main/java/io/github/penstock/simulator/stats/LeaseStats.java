package io.github.penstock.simulator.stats;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.internal.near.LeaseCounts;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Compares processes that lease and remember denials with one limiter that asks each time, on the
 * same requests. Not safe for use by several threads.
 */
public final class LeaseStats {
  private final LeaseSettings settings;
  private final boolean leases;
  private final ReplayStats stats;
  private final List<LeaseCounts> units;
  private final long[] requests = new long[DecisionSource.values().length];
  private long deniedWrongly;
  private long admittedMore;

  /**
   * Before the first request.
   *
   * @param leases whether there are leases of this limit at all
   * @param stats the admissions and denials of the processes
   * @param units how the units were used that each process leased
   */
  public LeaseStats(
      LeaseSettings settings, boolean leases, ReplayStats stats, List<LeaseCounts> units) {
    this.settings = settings;
    this.leases = leases;
    this.stats = stats;
    this.units = List.copyOf(units);
  }

  /**
   * Counts the answer to a request.
   *
   * @param askingAdmits whether asking each time admitted it
   */
  public void count(TrafficRequest request, Decision told, boolean askingAdmits) {
    long weight = stats.weight(request.subject());
    requests[told.source().ordinal()] += weight;
    if (askingAdmits && !told.allowed()) {
      deniedWrongly += weight;
    } else if (told.allowed() && !askingAdmits) {
      admittedMore += weight;
    }
  }

  public LeaseSettings settings() {
    return settings;
  }

  /**
   * Returns whether there are leases of this limit; if not, every call asks that is not remembered.
   */
  public boolean leases() {
    return leases;
  }

  /** The requests that the processes admitted and denied. */
  public ReplayStats stats() {
    return stats;
  }

  /** Returns how many requests were answered so. */
  public long requests(DecisionSource source) {
    return requests[source.ordinal()];
  }

  /** Requests that asking each time admits and these processes denied. */
  public long deniedWrongly() {
    return deniedWrongly;
  }

  /** Requests that these processes admitted and asking each time denies. */
  public long admittedMore() {
    return admittedMore;
  }

  /** Units that were charged ahead. */
  public long unitsLeased() {
    return sum(LeaseCounts::leased);
  }

  /** Those of them that were never handed out: they expired, or were held at the end. */
  public long unitsUnused() {
    return unitsLeased() - sum(LeaseCounts::used);
  }

  private long sum(Function<LeaseCounts, LongAdder> of) {
    return units.stream().map(of).mapToLong(LongAdder::sum).sum();
  }
}
