package io.github.penstock.cli;

import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.report.LimitTables;
import io.github.penstock.simulator.report.LogText;
import io.github.penstock.simulator.report.LogText.LogNote;
import io.github.penstock.simulator.traffic.LeaseSettings;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The paragraphs and tables of {@code compare} on a terminal. */
final class ComparePrinter {
  private static final int LONGEST_PARAGRAPH = 1_000;
  private final PrintWriter out;
  private final @Nullable LeaseSettings leases;

  /**
   * On a terminal.
   *
   * @param leases of processes that were played beside, if any
   */
  ComparePrinter(PrintWriter out, @Nullable LeaseSettings leases) {
    this.out = out;
    this.leases = leases;
  }

  void blank() {
    out.println();
  }

  void paragraph(String text) {
    LineWrap.lines(SafeText.terminal(text, LONGEST_PARAGRAPH)).forEach(out::println);
  }

  /** Prints a sentence from the left edge on. */
  void line(String text) {
    LineWrap.lines(SafeText.terminal(text, LONGEST_PARAGRAPH))
        .forEach(line -> out.println(line.strip()));
  }

  void table(String title, List<String> lines) {
    out.println();
    line(title);
    table(lines);
  }

  void table(List<String> lines) {
    out.println();
    lines.forEach(out::println);
  }

  /** Prints the results of processes with leases, if there were any. */
  void leasing(ReplayResult played, boolean rateIsKnown) {
    if (leases != null) {
      table(
          "Compared with a limiter that asks each time: " + leases,
          LimitTables.leasing(played, rateIsKnown).linesByNumber(false));
      blank();
      paragraph(LimitTables.leaseSentence(played));
    }
  }

  void findings(List<ReportFinding> findings) {
    findings.forEach(finding -> paragraph(finding.sentence()));
  }

  void notes(LogText text) {
    for (LogNote note : text.notes()) {
      paragraph(note.text());
      note.details().forEach(detail -> paragraph("  " + detail));
    }
  }
}
