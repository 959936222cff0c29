package io.github.penstock.cli;

import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;

/** The names that {@code --scenario} takes. */
final class ScenarioNames implements Iterable<String> {
  /** Calls whose cost is known at their end. */
  static final String TOKENS = "tokens";

  @Override
  public Iterator<String> iterator() {
    return Stream.concat(
            Arrays.stream(TrafficScenario.values()).map(TrafficScenario::toString),
            Stream.of(TOKENS))
        .iterator();
  }
}
