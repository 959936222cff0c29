package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.List;

/** A decision of the server that is not the exact model's: a bug that must be found and fixed. */
public final class ModelMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ModelMismatchException(
      long decision,
      LimitCandidate candidate,
      TrafficRequest request,
      String cost,
      Object answer,
      List<Long> exact) {
    super(
        "decision %,d differs from the exact model: %s, subject %s, cost %s, now_us %d: the server answered %s, the model says %s."
            .formatted(
                decision,
                candidate.name(),
                request.subject(),
                cost,
                request.timeUs(),
                answer,
                exact));
  }
}
