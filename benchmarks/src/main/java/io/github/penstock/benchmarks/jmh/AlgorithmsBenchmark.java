package io.github.penstock.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

/**
 * What does a decision cost with each algorithm through each client?
 *
 * <pre>{@code
 * ./penstock jmh AlgorithmsBenchmark -prof gc -t 8
 * ./penstock jmh AlgorithmsBenchmark -t 64 -p client=LETTUCE -p workload=MIXED -p tiers=1,3
 * }</pre>
 */
public class AlgorithmsBenchmark extends ClientBenchmark {
  @Param public Algorithm algorithm = Algorithm.TOKEN_BUCKET;

  @Param({"ALLOWED", "DENIED", "MIXED"})
  public Workload workload = Workload.ALLOWED;

  @Param("1")
  public int tiers = 1;

  @Override
  Turn turn() {
    return new Turn(Turn.Kind.ALGORITHM, algorithm.name(), workload, tiers);
  }
}
