package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import java.util.List;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * How many decisions a second are made where most of them need no trip, and with how many trips?
 *
 * <pre>{@code
 * ./penstock jmh NearBenchmark -t 8 -p workload=EXHAUSTED -p saving=ASKED,REMEMBERED,BUCKET4J
 * ./penstock jmh NearBenchmark -t 64 -p workload=HOT -p saving=LEASED_100,BUCKET4J,DELAYING
 * }</pre>
 */
@BenchmarkMode(Mode.Throughput)
public class NearBenchmark extends ClientBenchmark {
  @Param public TripSaving saving = TripSaving.ASKED;

  @Param({"EXHAUSTED", "HOT"})
  public SubjectWorkload workload = SubjectWorkload.HOT;

  @Override
  List<BenchmarkCase> turns() {
    return List.of(BenchmarkCase.near(client, saving, workload, 1));
  }
}
