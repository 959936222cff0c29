package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.DataTable;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The part of the server that a decision uses. */
final class ServerChapter extends BenchChapter {
  private static final String TIME =
      "Time on the server, %s decision of the token bucket, as a ratio to a script that only makes"
          + " the same commands";
  private static final BenchmarkGoal ALLOWED =
      new BenchmarkGoal(TIME.formatted("an allowed"), 1.25, false);
  private static final BenchmarkGoal DENIED =
      new BenchmarkGoal(TIME.formatted("a denied"), 1.4, false);
  private static final BenchmarkCandidate BUCKET = PenstockAlgorithm.TOKEN_BUCKET;

  ServerChapter(BenchmarkResults results, List<RedisClientType> clients) {
    super(results, clients);
  }

  @Override
  ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "What does a decision cost the server?",
            "A server runs one script at a time, so its time per decision bounds what all clients"
                + " together can have. Microseconds are the server's own count (INFO"
                + " commandstats).");
    goal(ALLOWED, true).ifPresent(chapter::add);
    goal(DENIED, false).ifPresent(chapter::add);
    add(chapter, times(), "Pipelined, the best of many short runs. Shorter is better.");
    add(
        chapter,
        "Commands that the server executes",
        "commands per decision",
        "0.0",
        ServerUse::commands);
    add(
        chapter,
        "Bytes over the network",
        "bytes in and out per decision",
        "#,##0",
        use -> use.bytesIn() + use.bytesOut());
    add(
        chapter,
        "Memory of a subject, 1 charge",
        "bytes, all its keys",
        "#,##0",
        ServerUse::bytesPerKey);
    add(
        chapter,
        "Memory of a subject, 100 charges",
        "bytes, all its keys",
        "#,##0",
        ServerUse::bytesPerKeyLater);
    return chapter.add(scripts()).add(reservations()).add(uses());
  }

  private Optional<ReportFinding> goal(BenchmarkGoal goal, boolean allowed) {
    return results
        .script(BUCKET, ScriptCase.Form.SHIPPED, 1, allowed)
        .flatMap(ours -> floor(ours).map(least -> RoundRatio.ofBest(ours.rounds(), least.rounds())))
        .flatMap(ratio -> goal.finding(Map.of("", ratio)));
  }

  private Optional<ScriptCost> floor(ScriptCost cost) {
    boolean allowed = cost.call().allowed();
    return results.script(FloorCall.sameCommands(allowed), ScriptCase.Form.OTHER, 1, allowed);
  }

  private BarChart times() {
    BarChart bars =
        new BarChart("Time of a script on the server", "microseconds per decision").numbers("0.0");
    for (ScriptCost cost : results.scripts()) {
      ScriptCase call = cost.call();
      boolean plain =
          call.form() == ScriptCase.Form.SHIPPED || call.form() == ScriptCase.Form.OTHER;
      if (call.tiers() == 1 && plain && call.candidate() != FloorCall.EMPTY_SCRIPT) {
        BenchmarkCandidate name = call.isFloor() ? FloorCall.SAME_COMMANDS : call.candidate();
        String how = call.allowed() ? ", allowed" : ", denied";
        bars.bar(name.shortTitle() + how, "a call", SeriesColor.GREY, cost.micros());
      }
    }
    return bars;
  }

  private void add(
      ReportChapter chapter,
      String title,
      String axis,
      String numbers,
      ToDoubleFunction<ServerUse> figure) {
    BarChart bars = new BarChart(title, axis).numbers(numbers);
    for (ServerUse use : results.server()) {
      boolean allowed = use.what().workload() == SubjectWorkload.ALLOWED;
      if (use.problem() == null && allowed && figure.applyAsDouble(use) > 0) {
        bars.bar(
            use.what().candidate().shortTitle(),
            "allowed",
            SeriesColor.GREY,
            figure.applyAsDouble(use));
      }
    }
    add(chapter, bars, "An allowed decision. Shorter is better.");
  }

  private DataTable scripts() {
    DataTable table =
        table(
            "Time of scripts on the server", 3, "script | form | call | tiers | µs | to the floor");
    for (ScriptCost cost : results.scripts()) {
      table.row(
          cost.call().candidate().title(),
          cost.call().form().title(),
          cost.call().allowed() ? "allowed" : "denied",
          Integer.toString(cost.call().tiers()),
          NumberText.hundredths(cost.micros()),
          floor(cost)
              .map(least -> NumberText.hundredths(cost.micros() / least.micros()))
              .orElse(""));
    }
    return table.note(
        "Shipped: minified, by EVALSHA. Readable: the source, by EVALSHA. Function: the same by"
            + " FCALL. Command: no script at all.");
  }

  private DataTable reservations() {
    DataTable table =
        table("Calls under several limits on the server", 1, "call | µs | to scripts of their own");
    Map<ReservationCase, Double> micros = results.reservations();
    micros.forEach(
        (call, each) ->
            table.row(
                call.title(),
                NumberText.hundredths(each),
                NumberText.hundredths(each / micros.getOrDefault(call.floor(), each))));
    return table.note("Limits are token buckets. What is held is settled with one unit used.");
  }

  private DataTable uses() {
    DataTable table =
        table(
            "What a decision uses of the server, through a client with 8 threads",
            3,
            "limiter | client | workload | µs of commands | µs of processor | commands",
            "bytes in | bytes out | bytes replicated | bytes of memory, 1 charge",
            "after 100");
    for (ServerUse use : results.server()) {
      boolean known = use.problem() == null;
      table.row(
          use.what().candidate().title(),
          use.what().client().title(),
          use.what().workload().name().toLowerCase(Locale.ROOT),
          known ? NumberText.tenths(use.commandMicros()) : String.valueOf(use.problem()),
          known ? NumberText.tenths(use.processMicros()) : "",
          known ? NumberText.tenths(use.commands()) : "",
          known ? NumberText.count(use.bytesIn()) : "",
          known ? NumberText.count(use.bytesOut()) : "",
          countIfKnown(use.bytesReplicated()),
          countIfKnown(use.bytesPerKey()),
          countIfKnown(use.bytesPerKeyLater()));
    }
    return table.note(
        "Microseconds of processor: of the server's whole process, network included. Commands:"
            + " those within scripts included. Memory: MEMORY USAGE of all keys of a subject, names"
            + " included.");
  }

  private static String countIfKnown(double value) {
    return value < 0 ? "" : NumberText.count(value);
  }
}
