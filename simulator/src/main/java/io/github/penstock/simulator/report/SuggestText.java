package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.FigureKind.PartOf;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.simulator.replay.LimitSuggestion;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.report.LimitTables.TierRow;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The limits that a log suggests, once they were played. */
public final class SuggestText {
  private static final Function<LimitResult, Object> WAIT =
      LimitTables.wait(ReplayStats::longWaitUs);
  private final List<LimitSuggestion> suggestions;
  private final ReplayResult played;

  /**
   * For suggestions in the order of their shares.
   *
   * @param played all of their limits
   */
  public SuggestText(List<LimitSuggestion> suggestions, ReplayResult played) {
    this.suggestions = List.copyOf(suggestions);
    this.played = played;
  }

  /** The traffic again for each share that has limits, with these only. */
  public List<ReplayResult> each() {
    return suggestions.stream()
        .filter(each -> !each.limits().isEmpty())
        .map(each -> each.of(played))
        .toList();
  }

  /** How to read them. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Each number is where denials begin to be too many: the next smaller one denies more. The smaller a limit, the less it can pass, and the more it denies.");
    for (LimitSuggestion each : suggestions) {
      if (!each.without().isEmpty()) {
        notes.add(
            "No number that is within its bounds denies at most %s with: %s."
                .formatted(each.share(), String.join(", ", each.without())));
      }
    }
    if (played.results().stream().anyMatch(each -> each.stats().never() > 0)) {
      notes.add("Some requests cost more than a limit and can never pass: see the cautions.");
    }
    return notes;
  }

  /** All of them, for the top of a page. */
  ResultTable<?> table() {
    return table(suggestions);
  }

  /** The same for programs. */
  List<Object> json() {
    return suggestions.stream().map(this::json).toList();
  }

  private Object json(LimitSuggestion suggestion) {
    return ReportFiles.fields(
        "denies_at_most_percent", suggestion.percent(),
        "limits", table(List.of(suggestion)).json(),
        "without_a_number", suggestion.without());
  }

  private ResultTable<SuggestedLimit> table(List<LimitSuggestion> of) {
    List<SuggestedLimit> rows = new ArrayList<>();
    for (LimitSuggestion each : of) {
      each.of(played).results().forEach(result -> rows.add(new SuggestedLimit(each, result)));
    }
    return new ResultTable<SuggestedLimit>("The least that denies so few", rows)
        .words("may deny", row -> row.suggestion.share())
        .words("limit", row -> row.result.candidate().name())
        .field("limit")
        .figure("denied", FigureKind.PERCENT, SuggestedLimit::denied)
        .field("denied")
        .figure(
            "subjects denied",
            FigureKind.WRITTEN,
            row -> played.whole(row.result.stats().shares().everDenied()))
        .figure(
            "most " + played.units() + " of one subject",
            FigureKind.WRITTEN,
            row -> new TierRow(row.result, row.peak(), true).most())
        .figure("it can pass", FigureKind.COUNT, row -> row.result.atMost(row.peak()))
        .field("can_pass_units")
        .figure("told to wait (99 %)", FigureKind.TIME, row -> WAIT.apply(row.result));
  }

  private record SuggestedLimit(LimitSuggestion suggestion, LimitResult result) {
    PeakUsage peak() {
      return result.stats().peaks().get(0);
    }

    PartOf denied() {
      return new PartOf(result.stats().denied(), result.stats().asked());
    }
  }
}
