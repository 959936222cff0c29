package io.github.penstock.benchmarks.result;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a bench as tables: each is on the page, most are {@code measured} in bench.json,
 * as benchmarks/README.md documents it, and {@code script-cost} prints two of them.
 */
public final class BenchmarkTables {
  private static final double COUNTABLE = 0.01;

  private BenchmarkTables() {}

  /** All figures, for bench.json. */
  public static Map<String, Object> json(BenchmarkResults results) {
    return fields(
        "scripts", scripts(results.scripts()).json(),
        "reservations", reservations(results.reservations()).json(),
        "server", uses(results.server()).json(),
        "clients", clients(results, "Clients", results.clients()).json());
  }

  /** The cost of script calls on the server, in total and relative to the same commands. */
  public static ResultTable<ScriptCost> scripts(List<ScriptCost> costs) {
    return new ResultTable<ScriptCost>("Time of scripts on the server", costs)
        .words("script", cost -> cost.call().candidate().title())
        .field("what")
        .words("form", cost -> cost.call().form().title())
        .onPage()
        .field("form")
        .words("call", cost -> cost.call().outcome())
        .figure("tiers", FigureKind.COUNT, cost -> cost.call().tiers())
        .field("tiers")
        .field("allowed", cost -> cost.call().allowed())
        .figure("µs", FigureKind.HUNDREDTHS, ScriptCost::micros)
        .brief("µs a call")
        .field("micros")
        .figure("to the floor", FigureKind.HUNDREDTHS, cost -> toFloor(cost, costs))
        .note(
            "Shipped: minified, by EVALSHA. Readable: the source, by EVALSHA. Function: the same by"
                + " FCALL.");
  }

  private static @Nullable Double toFloor(ScriptCost cost, List<ScriptCost> all) {
    return floor(cost, all).map(least -> cost.micros() / least.micros()).orElse(null);
  }

  /** The server commands of an allowed or a denied call. */
  private static Optional<ScriptCost> floor(ScriptCost cost, List<ScriptCost> all) {
    FloorCall floor = FloorCall.sameCommands(cost.call().allowed());
    return all.stream().filter(each -> each.call().is(floor, ScriptCase.Form.OTHER)).findFirst();
  }

  /** The cost of calls under several limits on the server, in microseconds. */
  public static ResultTable<Map.Entry<ReservationCase, Double>> reservations(
      Map<ReservationCase, Double> micros) {
    return new ResultTable<Map.Entry<ReservationCase, Double>>(
            "Calls under several limits on the server", List.copyOf(micros.entrySet()))
        .words("call", cost -> cost.getKey().title())
        .brief("several limits in one call")
        .field("what")
        .field("scripts", cost -> cost.getKey().scripts())
        .field("keys", cost -> cost.getKey().keys())
        .figure("µs", FigureKind.HUNDREDTHS, Map.Entry::getValue)
        .brief("µs a call")
        .field("micros")
        .figure(
            "to scripts of their own",
            FigureKind.HUNDREDTHS,
            cost -> cost.getValue() / micros.getOrDefault(cost.getKey().floor(), cost.getValue()))
        .note("Limits are token buckets. What is held is settled with one unit used.");
  }

  /** The limiters' use of the server. */
  public static ResultTable<ServerUse> uses(List<ServerUse> uses) {
    return new ResultTable<ServerUse>(
            "What a decision uses of the server, through a client with 8 threads", uses)
        .words("limiter", use -> use.what().candidate().title())
        .field("what")
        .words("client", use -> use.what().client().title())
        .field("client")
        .words("workload", use -> use.what().workload().title())
        .field("workload", use -> use.what().workload().name())
        .figureUnless(
            ServerUse::problem, "µs of commands", FigureKind.TENTHS, ServerUse::commandMicros)
        .field("commandMicros")
        .figure("µs of processor", FigureKind.TENTHS, ServerUse::processMicros)
        .field("processMicros")
        .figure("commands", FigureKind.TENTHS, ServerUse::commands)
        .field("commands")
        .figure("bytes in", FigureKind.COUNT, ServerUse::bytesIn)
        .field("bytesIn")
        .figure("bytes out", FigureKind.COUNT, ServerUse::bytesOut)
        .field("bytesOut")
        .figure("bytes of memory, 1 charge", FigureKind.COUNT, use -> known(use.bytesPerKey()))
        .field("bytesPerKey", ServerUse::bytesPerKey)
        .figure("after 100", FigureKind.COUNT, use -> known(use.bytesPerKeyLater()))
        .field("bytesPerKeyLater", ServerUse::bytesPerKeyLater)
        .field("problem", ServerUse::problem)
        .note(
            "Microseconds of processor: of the server's whole process, network included. Commands:"
                + " those within scripts included. Memory: MEMORY USAGE of all keys of a subject,"
                + " names included.");
  }

  /** The cases of some questions through clients. */
  public static ResultTable<MeasuredCase> clients(
      BenchmarkResults results, String title, BenchmarkQuestion... questions) {
    Set<BenchmarkQuestion> wanted = Set.of(questions);
    return clients(
        results,
        title,
        results.clients().stream().filter(m -> wanted.contains(m.what().question())).toList());
  }

  /** Cases through clients: a page has the columns that say something about them. */
  public static ResultTable<MeasuredCase> clients(
      BenchmarkResults results, String title, List<MeasuredCase> measured) {
    boolean floors =
        measured.stream().noneMatch(m -> m.what().question() == BenchmarkQuestion.PEER);
    return new ResultTable<MeasuredCase>(title, measured)
        .withoutEmptyColumns()
        .field("question", m -> m.what().question().name())
        .words("client", m -> m.what().client().title())
        .field("client")
        .words("what", m -> m.what().candidate().title())
        .field("what")
        .words("how", m -> m.what().question().how())
        .words(
            "workload",
            m -> isFloor(m) || m.what().question().atOnce() ? "" : m.what().workload().title())
        .field("workload", m -> m.what().workload().name())
        .words("tiers", m -> isAlgorithm(m) ? Integer.toString(m.what().tiers()) : "")
        .field("tiers", m -> m.what().tiers())
        .figure("threads", FigureKind.COUNT, m -> m.what().threads())
        .field("threads")
        .figureUnless(MeasuredCase::problem, "a second", FigureKind.COUNT, MeasuredCase::perSecond)
        .field("perSecond")
        .figure("Penstock to it", FigureKind.HUNDREDTHS, m -> value(results.penstockTo(m)))
        .figure(
            "to PING",
            FigureKind.HUNDREDTHS,
            m ->
                floors && (isFloor(m) || isAlgorithm(m))
                    ? value(results.to(FloorCall.PING, m))
                    : null)
        .figure(
            "to an empty script",
            FigureKind.HUNDREDTHS,
            m ->
                m.what().candidate() == FloorCall.PING || m.what().question().counted()
                    ? null
                    : value(results.to(FloorCall.EMPTY_SCRIPT, m)))
        .figure(
            "to the same commands",
            FigureKind.HUNDREDTHS,
            m ->
                floors && m.what().candidate() instanceof PenstockAlgorithm
                    ? value(results.toSameCommands(m))
                    : null)
        .figure(
            "to its raw script",
            FigureKind.HUNDREDTHS,
            m -> floors && m.what().hasRawScript() ? value(results.toOwnScript(m)) : null)
        .figure(
            "to Bucket4j",
            FigureKind.HUNDREDTHS,
            m ->
                m.what().question() == BenchmarkQuestion.NEAR ? value(results.toBucket4j(m)) : null)
        .figure("trips per decision", FigureKind.WRITTEN, m -> trips(m.tripsPerCall()))
        .field("tripsPerCall", MeasuredCase::tripsPerCall)
        .figure("p50 µs", FigureKind.WRITTEN, m -> micros(m, m.p50Micros()))
        .field("p50Micros", MeasuredCase::p50Micros)
        .figure("p99 µs", FigureKind.WRITTEN, m -> micros(m, m.p99Micros()))
        .field("p99Micros", MeasuredCase::p99Micros)
        .figure("p99.9 µs", FigureKind.WRITTEN, m -> micros(m, m.p999Micros()))
        .field("p999Micros", MeasuredCase::p999Micros)
        .figure("bytes allocated", FigureKind.COUNT, MeasuredCase::bytesPerCall)
        .field("bytesPerCall")
        .field("iterations", MeasuredCase::iterations)
        .field("problem", MeasuredCase::problem);
  }

  private static boolean isFloor(MeasuredCase measured) {
    return measured.what().question() == BenchmarkQuestion.FLOOR;
  }

  private static boolean isAlgorithm(MeasuredCase measured) {
    return measured.what().question() == BenchmarkQuestion.ALGORITHM;
  }

  public static @Nullable Double value(Optional<RoundRatio> ratio) {
    return ratio.map(RoundRatio::value).orElse(null);
  }

  private static String trips(double trips) {
    return trips < 0
        ? ""
        : trips == 0
            ? "0"
            : trips < COUNTABLE
                ? "1 in " + NumberText.count(1 / trips)
                : NumberText.hundredths(trips);
  }

  /* Of many at once a decision takes a few. */
  private static String micros(MeasuredCase measured, double micros) {
    return micros <= 0
        ? ""
        : measured.what().question().atOnce()
            ? NumberText.tenths(micros)
            : NumberText.count(micros);
  }

  private static @Nullable Double known(double figure) {
    return figure < 0 ? null : figure;
  }
}
