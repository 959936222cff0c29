package io.github.penstock.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

/**
 * What is the least that a call can cost through each client?
 *
 * <pre>{@code
 * ./penstock jmh FloorsBenchmark -prof gc -t 8
 * }</pre>
 */
public class FloorsBenchmark extends ClientBenchmark {
  @Param public Floor floor = Floor.PING;

  @Param("ALLOWED")
  public Workload workload = Workload.ALLOWED;

  @Override
  Turn turn() {
    return new Turn(Turn.Kind.FLOOR, floor.name(), workload, 1);
  }
}
