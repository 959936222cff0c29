package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * How much does a decision cost with other limiters on the same client?
 *
 * <pre>{@code
 * ./penstock jmh PeersBenchmark -prof gc -t 8 -p workload=ALLOWED,EXHAUSTED,HOT
 * ./penstock jmh PeersBenchmark -t 64 -p workload=HOT -p contender=PENSTOCK,BUCKET4J
 * }</pre>
 */
public class PeersBenchmark extends ClientBenchmark {
  @Param public LimiterType contender = LimiterType.PENSTOCK;

  @Param({"ALLOWED", "EXHAUSTED", "HOT"})
  public SubjectWorkload workload = SubjectWorkload.ALLOWED;

  @Override
  List<BenchmarkCase> turns() {
    String cannot = contender.cannot(client);
    if (!cannot.isEmpty()) {
      throw new UnsupportedOperationException(contender.title() + ": " + cannot);
    }
    return List.of(BenchmarkCase.peer(client, contender, workload, 1));
  }
}
