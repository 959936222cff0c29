package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.CaseGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How do limiters and floors compare on a machine that is not always equally fast?
 *
 * <p>Their iterations are interleaved, in one process and through one client, so that a temporary
 * slowdown of the machine affects all of them; {@code ./penstock bench} compares within a round.
 * The iterations of the first are number 1, n + 1, 2 n + 1 and so on, if there are n.
 *
 * <pre>{@code
 * ./penstock jmh InterleavedBenchmark -t 8 -wi 4 -i 20 \\
 *   -p cases='FLOOR/SAME_COMMANDS/ALLOWED/1;ALGORITHM/TOKEN_BUCKET/ALLOWED/1'
 * }</pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class InterleavedBenchmark extends ClientBenchmark {
  @Param("FLOOR/SAME_COMMANDS/ALLOWED/1;ALGORITHM/TOKEN_BUCKET/ALLOWED/1")
  public String cases = "";

  @Override
  List<BenchmarkCase> cases() {
    return Stream.of(cases.split(CaseGroup.SEPARATOR))
        .map(name -> BenchmarkCase.parse(name, client, 1))
        .toList();
  }
}
