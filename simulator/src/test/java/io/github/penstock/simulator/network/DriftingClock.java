package io.github.penstock.simulator.network;

import io.github.penstock.core.time.TimeSource;

/** The clocks of a process: faster or slower than the server's. */
final class DriftingClock implements TimeSource {
  private static final long START_MILLIS = 1_763_712_000_000L;
  private final SimulatedNetwork network;
  private final long origin;
  private final long partsPerMillion;

  /**
   * Clocks.
   *
   * @param origin of the monotonic one, which means nothing
   * @param partsPerMillion by how much they are faster than the server's
   */
  DriftingClock(SimulatedNetwork network, long origin, long partsPerMillion) {
    this.network = network;
    this.origin = origin;
    this.partsPerMillion = partsPerMillion;
  }

  @Override
  public long nanos() {
    return origin + passed();
  }

  @Override
  public long wallMillis() {
    return START_MILLIS + passed() / 1_000_000;
  }

  private long passed() {
    long now = network.nowNanos();
    return now + now / 1_000 * partsPerMillion / 1_000;
  }
}
