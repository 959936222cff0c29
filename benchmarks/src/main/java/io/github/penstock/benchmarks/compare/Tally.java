package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Series.Kind;
import java.util.List;

/**
 * What came out of playing traffic against one limit, in memory that does not grow with the
 * traffic. An admitted request passes at its time plus the wait that it was told, which only a
 * leaky bucket does. Not safe for use by several threads.
 */
final class Tally {
  private static final long NEVER = -1;
  private final Series series = new Series();
  private final Shares shares = new Shares();
  private final Waits waits = new Waits();
  private final Waits delays = new Waits();
  private final long[] waitClasses = new long[WaitClass.count()];
  private final List<Peak> peaks;
  private long admitted;
  private long denied;
  private long never;
  private long unitsAsked;
  private long unitsPassed;
  private long firstUs = -1;
  private long lastUs = -1;

  Tally(Candidate candidate) {
    this.peaks = candidate.allowances().stream().map(Peak::new).toList();
  }

  void admitted(Request request, long delayUs) {
    asked(request, false);
    admitted++;
    unitsPassed += request.cost();
    delays.add(delayUs);
    series.add(Kind.PASSED, request.timeUs() + delayUs, request.cost());
  }

  void denied(Request request, long waitUs) {
    asked(request, true);
    denied++;
    series.add(Kind.DENIED, request.timeUs(), request.cost());
    if (waitUs == NEVER) {
      never++;
    } else {
      waits.add(waitUs);
      waitClasses[WaitClass.of(waitUs)]++;
    }
  }

  private void asked(Request request, boolean wasDenied) {
    if (firstUs < 0) {
      firstUs = request.timeUs();
    }
    lastUs = request.timeUs();
    unitsAsked += request.cost();
    series.add(Kind.ASKED, request.timeUs(), request.cost());
    shares.add(request.subject(), wasDenied);
  }

  /** Units over time. */
  Series series() {
    return series;
  }

  /** Who got what. */
  Shares shares() {
    return shares;
  }

  /** How long denied callers were told to wait, in microseconds; those told never are left out. */
  Waits waits() {
    return waits;
  }

  /** How many of those waits are in a class, by its number. */
  long waitsIn(int waitClass) {
    return waitClasses[waitClass];
  }

  /** How long admitted callers were told to wait, in microseconds. */
  Waits delays() {
    return delays;
  }

  /** The most that passed, for each tier. */
  List<Peak> peaks() {
    return peaks;
  }

  /** Requests. */
  long asked() {
    return admitted + denied;
  }

  /** Requests. */
  long admitted() {
    return admitted;
  }

  /** Requests. */
  long denied() {
    return denied;
  }

  /** Denied requests that cost more than the limit, so that no wait would help. */
  long never() {
    return never;
  }

  long unitsAsked() {
    return unitsAsked;
  }

  long unitsPassed() {
    return unitsPassed;
  }

  /** When the first request came, in microseconds since 1970; -1 if none did. */
  long firstUs() {
    return firstUs;
  }

  /** When the last request came, in microseconds since 1970; -1 if none did. */
  long lastUs() {
    return lastUs;
  }
}
