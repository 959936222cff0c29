package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.core.limit.LimitKind;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * How much does a decision cost with each algorithm through each client?
 *
 * <pre>{@code
 * ./penstock jmh AlgorithmsBenchmark -prof gc -t 8
 * ./penstock jmh AlgorithmsBenchmark -t 64 -p client=LETTUCE -p workload=MIXED -p tiers=1,3
 * }</pre>
 */
public class AlgorithmsBenchmark extends ClientBenchmark {
  @Param public LimitKind algorithm = LimitKind.TOKEN_BUCKET;

  @Param({"ALLOWED", "DENIED", "MIXED"})
  public SubjectWorkload workload = SubjectWorkload.ALLOWED;

  @Param("1")
  public int tiers = 1;

  @Override
  List<BenchmarkCase> cases() {
    return List.of(
        BenchmarkCase.algorithm(client, PenstockAlgorithm.of(algorithm), workload, tiers, 1));
  }
}
