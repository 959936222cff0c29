package io.github.penstock.benchmarks.jmh;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * How do limiters and floors compare on a machine that is not always equally fast?
 *
 * <p>They take turns, an iteration each, in one process and through one client, so that what slows
 * the machine for a while slows all of them; {@code ./penstock bench} compares within a round. The
 * iterations of the first are number 1, n + 1, 2 n + 1 and so on, if there are n.
 *
 * <pre>{@code
 * ./penstock jmh TurnsBenchmark -t 8 -wi 4 -i 20 \\
 *   -p turns='FLOOR/SAME_COMMANDS/ALLOWED/1;ALGORITHM/TOKEN_BUCKET/ALLOWED/1'
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@Threads(8)
public class TurnsBenchmark {
  /** Between two turns in {@link #turns}. */
  public static final String SEPARATOR = ";";

  @Param public Client client = Client.JEDIS;

  @Param("FLOOR/SAME_COMMANDS/ALLOWED/1;ALGORITHM/TOKEN_BUCKET/ALLOWED/1")
  public String turns = "";

  private final List<Turn> order = new ArrayList<>();
  private final List<Turn.Call> calls = new ArrayList<>();
  private int at = -1;
  private Arena arena;
  private Turn turn;
  private Turn.Call call;

  @Setup
  public void open(BenchmarkParams parameters) {
    arena = new Arena(client, parameters);
    for (String text : turns.split(SEPARATOR)) {
      Turn next = Turn.parse(text);
      order.add(next);
      calls.add(next.on(arena.session(), arena.target()));
    }
  }

  @Setup(Level.Iteration)
  public void next() {
    at = (at + 1) % order.size();
    turn = order.get(at);
    call = calls.get(at);
  }

  @TearDown
  public void close() {
    arena.close();
  }

  /** A thread's way through the subjects of each workload. */
  @State(Scope.Thread)
  public static class Caller {
    private final Map<Workload, Walk> walks = new EnumMap<>(Workload.class);
    private Walk walk;

    @Setup(Level.Iteration)
    public void next(TurnsBenchmark benchmark, ThreadParams thread) {
      walk =
          walks.computeIfAbsent(
              benchmark.turn.workload(), workload -> new Walk(workload, thread.getThreadIndex()));
    }
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return call.make(caller.walk);
  }
}
