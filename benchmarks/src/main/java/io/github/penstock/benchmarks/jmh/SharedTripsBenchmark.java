package io.github.penstock.benchmarks.jmh;

import com.sun.management.OperatingSystemMXBean;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.CallStyle;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.ClosedLoop;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.server.DelayRelay;
import io.github.penstock.benchmarks.server.ServerStats;
import io.github.penstock.testkit.resp.RespConnection;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * What do callers of a subject gain or lose by sharing trips, over loopback and over networks,
 * compared with asking each and with Bucket4j?
 *
 * <p>An iteration is a round of each, in one process and through one client. Each fork prints a
 * table of the best rounds. In parentheses are medians of the ratios within a round: of the
 * decisions a second, and of the client's processor time, which depends least on other load.
 *
 * <pre>{@code
 * ./penstock jmh SharedTripsBenchmark -p callers=8,64,1000 -jvm .../jdk-25/bin/java -p style=VIRTUAL
 * ./penstock jmh SharedTripsBenchmark -p callers=2,8,64 -p addedMicros=500,1000,5000
 * ./penstock jmh SharedTripsBenchmark -i 30 -p callers=8 -p workload=ALLOWED
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 4)
@Measurement(iterations = 9)
@Fork(1)
public class SharedTripsBenchmark {
  private static final int PINGS = 300;
  private static final OperatingSystemMXBean MACHINE =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final List<TripSaving> WITHOUT_PEERS =
      List.of(TripSaving.ASKED, TripSaving.SHARED);
  private static final List<TripSaving> WITH_PEERS =
      List.of(TripSaving.ASKED, TripSaving.SHARED, TripSaving.BUCKET4J, TripSaving.BATCHING);

  @Param public RedisClientType client = RedisClientType.JEDIS;

  @Param("BLOCKING")
  public CallStyle style = CallStyle.BLOCKING;

  @Param({"8", "64"})
  public int callers = 8;

  /** {@code HOT} has one subject, {@code ALLOWED} 10,000. */
  @Param("HOT")
  public SubjectWorkload workload = SubjectWorkload.HOT;

  /** What a relay adds to a round trip; it adds nothing during the warm-up. */
  @Param("0")
  public long addedMicros;

  /** How long each is measured in a round. */
  @Param("300")
  public long millis = 300;

  /** Whether Bucket4j is beside them, where it has a module and such calls. */
  @Param("true")
  public boolean peers = true;

  private final List<Way> ways = new ArrayList<>();
  private BenchmarkTarget server;
  private BenchmarkTarget target;
  private @Nullable DelayRelay relay;
  private ClientSession session;
  private ExecutorService threads;
  private boolean measured = true;
  private int turn;

  private record Round(double perSecond, double medianMicros, double cpuMicros, double commands) {}

  private record Way(TripSaving what, IntFunction<CompletionStage<?>> call, List<Round> rounds) {
    double perSecond() {
      return rounds.stream().mapToDouble(Round::perSecond).max().orElse(Double.NaN);
    }

    double medianMicros() {
      return rounds.stream().mapToDouble(Round::medianMicros).min().orElse(Double.NaN);
    }

    double median(ToDoubleFunction<Round> figure) {
      return SharedTripsBenchmark.median(rounds.stream().mapToDouble(figure));
    }

    double paired(Way to, ToDoubleFunction<Round> figure) {
      return SharedTripsBenchmark.median(
          IntStream.range(0, rounds.size())
              .mapToDouble(
                  i ->
                      figure.applyAsDouble(rounds.get(i))
                          / figure.applyAsDouble(to.rounds.get(i))));
    }
  }

  @Setup
  public void open() {
    server = BenchmarkTarget.find();
    relay = addedMicros == 0 ? null : new DelayRelay(server.url(), addedMicros);
    target = relay == null ? server : new BenchmarkTarget(relay.url(), server.prefix());
    session = client.open(target);
    threads = style.threads();
    boolean known = style != CallStyle.STAGES || client.asynchronous();
    boolean beside = peers && known && LimiterType.BUCKET4J.cannot(client).isEmpty();
    for (TripSaving each : beside ? WITH_PEERS : WITHOUT_PEERS) {
      ways.add(new Way(each, each.calls(session, target, style, workload), new ArrayList<>()));
    }
  }

  @Setup(Level.Iteration)
  public void begin(IterationParams parameters) {
    measured = parameters.getType() == IterationType.MEASUREMENT;
    if (relay != null) {
      // The delayed calls of a warm-up would be too few for the JIT compiler.
      relay.delay(measured);
    }
  }

  /** A round of each, begun with another one each time. */
  @Benchmark
  public void round() throws InterruptedException {
    turn++;
    for (int i = 0; i < ways.size(); i++) {
      Way way = ways.get((turn + i) % ways.size());
      Round round = round(way);
      if (measured) {
        way.rounds().add(round);
      }
    }
  }

  private Round round(Way way) throws InterruptedException {
    ServerStats before = server.read(ServerStats::ofCommands);
    long cpuNanos = -MACHINE.getProcessCpuTime();
    ClosedLoop.Calls made =
        ClosedLoop.run(
            way.call(), workload, callers, threads, TimeUnit.MILLISECONDS.toNanos(millis));
    cpuNanos += MACHINE.getProcessCpuTime();
    double trips = server.read(ServerStats::ofCommands).since(before).trips(way.what());
    return new Round(
        made.inTime() * 1e3 / millis,
        made.medianNanos() / 1e3,
        cpuNanos / 1e3 / made.all(),
        100 * trips / made.all());
  }

  @TearDown
  public void close() {
    System.out.print(table());
    threads.shutdown();
    session.close();
    server.close();
    if (relay != null) {
      relay.close();
    }
  }

  /** A row for each, of its best rounds. */
  String table() {
    String row = "%-23s%12s%9s%9s%10s%10s%11s%10s%9s%10s%14s%n";
    Formatter out = new Formatter(Locale.ROOT);
    out.format(
        "%n%s, %s: %,d callers, %,d subjects, PING takes %,.0f us, and %,.0f without the relay%n",
        client.title(),
        style,
        callers,
        workload.subjects(),
        pingMicros(target),
        pingMicros(server));
    out.format(
        row,
        "",
        "per second",
        "asked",
        "(paired)",
        "Bucket4j",
        "batching",
        "median us",
        "asked",
        "CPU us",
        "(asked)",
        "commands/100");
    Way asked = ways.get(0);
    for (Way way : ways) {
      out.format(
          row,
          way.what().title(),
          "%,.0f".formatted(way.perSecond()),
          ratio(way, 0),
          "%.3f".formatted(way.paired(asked, Round::perSecond)),
          ratio(way, 2),
          ratio(way, 3),
          "%,.1f".formatted(way.medianMicros()),
          "%.2f".formatted(way.medianMicros() / asked.medianMicros()),
          "%.1f".formatted(way.median(Round::cpuMicros)),
          "%.2f".formatted(way.paired(asked, Round::cpuMicros)),
          "%.1f".formatted(way.median(Round::commands)));
    }
    return out.toString();
  }

  private String ratio(Way way, int to) {
    return to < ways.size() ? "%.3f".formatted(way.perSecond() / ways.get(to).perSecond()) : "-";
  }

  private static double pingMicros(BenchmarkTarget at) {
    try (RespConnection connection = at.connect()) {
      return median(
          IntStream.range(0, PINGS)
              .mapToDouble(
                  ping -> {
                    long begun = System.nanoTime();
                    connection.call("PING");
                    return (System.nanoTime() - begun) / 1e3;
                  }));
    }
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
