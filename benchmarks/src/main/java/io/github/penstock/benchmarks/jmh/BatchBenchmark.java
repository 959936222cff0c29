package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.TargetType;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.core.limit.LimitKind;
import java.util.List;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * How much does a decision cost when a hundred are asked for together?
 *
 * <pre>{@code
 * ./penstock jmh BatchBenchmark -prof gc -t 8
 * }</pre>
 */
@OperationsPerInvocation(BenchmarkCase.BATCH_SIZE)
public class BatchBenchmark extends ClientBenchmark {
  @Param public LimitKind algorithm = LimitKind.TOKEN_BUCKET;

  @Param({"PENSTOCK", "SAME_COMMANDS", "TOKEN_BUCKET_RAW"})
  public TargetType callee = TargetType.PENSTOCK;

  @Override
  List<BenchmarkCase> turns() {
    return List.of(
        BenchmarkCase.batch(client, callee.candidate(PenstockAlgorithm.of(algorithm)), 1));
  }
}
