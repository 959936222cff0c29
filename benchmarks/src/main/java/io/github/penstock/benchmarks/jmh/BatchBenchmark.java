package io.github.penstock.benchmarks.jmh;

import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * What does a decision cost when a hundred are asked for together?
 *
 * <pre>{@code
 * ./penstock jmh BatchBenchmark -prof gc -t 8
 * }</pre>
 */
@OperationsPerInvocation(Turn.BATCH_SIZE)
public class BatchBenchmark extends ClientBenchmark {
  @Param public Algorithm algorithm = Algorithm.TOKEN_BUCKET;

  @Param({"PENSTOCK", "SAME_COMMANDS", "TOKEN_BUCKET_RAW"})
  public Callee callee = Callee.PENSTOCK;

  @Override
  Turn turn() {
    return Turn.batch(callee, algorithm);
  }
}
