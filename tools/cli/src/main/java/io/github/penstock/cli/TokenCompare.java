package io.github.penstock.cli;

import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.operations.server.TemporaryKeys;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.report.CompareReport;
import io.github.penstock.simulator.report.TokenText;
import io.github.penstock.simulator.tokens.TokenCall;
import io.github.penstock.simulator.tokens.TokenComparison;
import io.github.penstock.simulator.tokens.TokenResult;
import io.github.penstock.simulator.tokens.TokenSetting;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose cost is known at their end, charged in four ways.
 *
 * @param calls of a log; null for the built-in traffic
 * @param title of the log
 */
record TokenCompare(
    @Nullable List<TokenCall> calls, String title, List<LimitCandidate> limits, int threads) {
  TokenCompare {
    for (LimitCandidate limit : limits) {
      if (!limit.limit().kind().holds()) {
        throw new UserErrorException(
            "--limit %s cannot be reserved: give a token-bucket, a fixed-window or a sliding-window."
                .formatted(limit.name()));
      }
    }
    if (calls != null && limits.isEmpty()) {
      throw new UserErrorException(
          "--used needs a --limit, such as --limit sliding-window:100000/1m.");
    }
    limits = limits.isEmpty() ? List.of(TokenSetting.LIMIT) : List.copyOf(limits);
  }

  void run(ServerOptions options, List<String> arguments, ReportFiles files, PrintWriter out) {
    try (CheckedServer server = options.open()) {
      server.run(
          client -> {
            try (TemporaryKeys keys = new TemporaryKeys(client)) {
              TokenComparison compare = new TokenComparison(client, threads, keys.prefix());
              out.println(SafeText.terminal(title) + " on " + server.title());
              List<TokenResult> results =
                  calls == null
                      ? limits.stream()
                          .flatMap(each -> compare.scenario(TokenSetting.all(), each).stream())
                          .toList()
                      : compare.log(title, calls, limits);
              TokenText text = new TokenText(results);
              String decisions = CompareReport.decisions(compare.decisions(), compare.decisions());
              print(text, decisions, out);
              text.write(
                  files,
                  RunFacts.here()
                      .add("Server", server.title())
                      .command(arguments)
                      .add("Decisions", decisions));
              out.println("Report: " + files.html() + ", figures: " + files.json());
            }
          });
    }
  }

  private static void print(TokenText text, String decisions, PrintWriter out) {
    ComparePrinter printer = new ComparePrinter(out, null);
    printer.blank();
    printer.paragraph(text.about());
    for (List<TokenResult> group : text.groups()) {
      printer.table(text.title(group), text.table(group).lines());
    }
    printer.blank();
    printer.paragraph(text.finding());
    printer.blank();
    printer.line(decisions);
  }
}
