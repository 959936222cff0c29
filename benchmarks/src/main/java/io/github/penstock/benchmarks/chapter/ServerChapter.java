package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.SeriesColor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The part of the server that a decision uses. */
record ServerChapter(BenchmarkResults results, List<RedisClientType> clients)
    implements BenchChapter {
  private static final String TIME =
      "Time on the server, %s decision of the token bucket, as a ratio to a script that only makes"
          + " the same commands";
  private static final BenchmarkGoal ALLOWED =
      new BenchmarkGoal(TIME.formatted("an allowed"), 1.25, false);
  private static final BenchmarkGoal DENIED =
      new BenchmarkGoal(TIME.formatted("a denied"), 1.4, false);
  private static final BenchmarkCandidate BUCKET = PenstockAlgorithm.TOKEN_BUCKET;

  @Override
  public ReportChapter chapter() {
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
    return chapter
        .add(BenchmarkTables.scripts(results.scripts()))
        .add(BenchmarkTables.reservations(results.reservations()))
        .add(BenchmarkTables.uses(results.server()));
  }

  private Optional<ReportFinding> goal(BenchmarkGoal goal, boolean allowed) {
    return results
        .script(BUCKET, ScriptCase.Form.SHIPPED, 1, allowed)
        .flatMap(
            ours ->
                BenchmarkTables.floor(ours, results.scripts())
                    .map(least -> RoundRatio.ofBest(ours.rounds(), least.rounds())))
        .flatMap(ratio -> goal.finding(Map.of("", ratio)));
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
}
