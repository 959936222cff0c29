package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * How little can a call cost through each client?
 *
 * <pre>{@code
 * ./penstock jmh FloorsBenchmark -prof gc -t 8
 * }</pre>
 */
public class FloorsBenchmark extends ClientBenchmark {
  @Param public FloorCall floor = FloorCall.PING;

  @Param("ALLOWED")
  public SubjectWorkload workload = SubjectWorkload.ALLOWED;

  @Override
  List<BenchmarkCase> turns() {
    return List.of(new BenchmarkCase(BenchmarkQuestion.FLOOR, floor, client, workload, 1, 1));
  }
}
