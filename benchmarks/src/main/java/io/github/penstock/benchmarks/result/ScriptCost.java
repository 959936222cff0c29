package io.github.penstock.benchmarks.result;

import io.github.penstock.benchmarks.plan.ScriptCase;
import java.util.Collections;
import java.util.List;

/**
 * The cost of one call of a script on the server.
 *
 * @param call the call
 * @param rounds microseconds that the server itself counts for the call, the best of each round;
 *     calls that were measured together were interleaved
 */
public record ScriptCost(ScriptCase call, List<Double> rounds) {
  public ScriptCost {
    rounds = List.copyOf(rounds);
  }

  public double micros() {
    return Collections.min(rounds);
  }
}
