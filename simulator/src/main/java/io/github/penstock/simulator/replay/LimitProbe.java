package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.model.LongModel;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts what one limit denies, by the exact model alone, until that is too much. Not safe for use
 * by several threads.
 */
final class LimitProbe {
  private final LongModel model;
  private final long neverDenied;
  private final long mostDenied;
  private final Map<String, long[]> states = new HashMap<>();
  private long denied;

  /**
   * Before the first request.
   *
   * @param neverDenied subjects that ask for no more than this in a period are not asked about
   * @param mostDenied it stops counting once more are denied
   */
  LimitProbe(LimitCandidate candidate, long neverDenied, long mostDenied) {
    this.model = new LongModel(candidate.limit());
    this.neverDenied = neverDenied;
    this.mostDenied = mostDenied;
  }

  /** Decides about a request of a subject that asks for at most so much in a period. */
  void decide(TrafficRequest request, long most) {
    if (most <= neverDenied || isOver()) {
      return;
    }
    long[] state = states.computeIfAbsent(request.subject(), each -> new long[model.numbers()]);
    if (!model.call(request.cost(), 1, request.timeUs(), state).allowed()) {
      denied++;
      if (isOver()) {
        states.clear();
      }
    }
  }

  /** Returns how many were denied, or one too many. */
  long denied() {
    return denied;
  }

  private boolean isOver() {
    return denied > mostDenied;
  }
}
