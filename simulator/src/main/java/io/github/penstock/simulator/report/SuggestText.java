package io.github.penstock.simulator.report;

import io.github.penstock.report.DataTable;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.LimitSuggestion;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The limits that a log suggests, once they were played. */
public final class SuggestText {
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
  DataTable table() {
    DataTable table =
        new DataTable(
            "The least that denies so few",
            2,
            "may deny",
            "limit",
            "denied",
            "subjects denied",
            "most " + played.units() + " of one subject",
            "it can pass",
            "told to wait (99 %)");
    for (LimitSuggestion suggestion : suggestions) {
      suggestion.of(played).results().forEach(each -> table.row(row(suggestion.share(), each)));
    }
    return table;
  }

  private List<String> row(String share, LimitResult result) {
    ReplayStats stats = result.stats();
    PeakUsage peak = stats.peaks().get(0);
    return List.of(
        share,
        result.candidate().name(),
        NumberText.percent(stats.denied(), stats.asked()),
        played.whole(stats.shares().everDenied()),
        (peak.exact() ? "" : "up to ") + NumberText.count(peak.most()),
        NumberText.count(result.atMost(peak)),
        CompareText.wait(stats, stats.longWaitUs()));
  }

  /** The same for programs. */
  List<Object> json() {
    return suggestions.stream().map(this::json).toList();
  }

  private Object json(LimitSuggestion suggestion) {
    Stream<Object> limits =
        suggestion.of(played).results().stream()
            .map(
                each ->
                    ReportFiles.fields(
                        "limit", each.candidate().name(),
                        "denied", each.stats().denied(),
                        "can_pass_units", each.atMost(each.stats().peaks().get(0))));
    return ReportFiles.fields(
        "denies_at_most_percent", suggestion.percent(),
        "limits", limits.toList(),
        "without_a_number", suggestion.without());
  }
}
