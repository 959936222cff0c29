package io.github.penstock.cli;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.operations.server.TemporaryKeys;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.log.LogSettings;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.TrafficComparison;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.report.CompareReport;
import io.github.penstock.simulator.report.CompareText;
import io.github.penstock.simulator.report.LimitRanking;
import io.github.penstock.simulator.report.LogText;
import io.github.penstock.simulator.report.LogText.LogNote;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code compare}: plays traffic through each limit. */
@Command(
    name = "compare",
    header = "Shows what each algorithm would do to your traffic.",
    description = {
      "Plays traffic through the shipped scripts on a real server and shows what each limit let"
          + " through, how long it made callers wait, and whom it denied; then writes a report"
          + " (HTML) and its figures (JSON). The scripts get the time of each request as an argument, so that nothing waits."
          + " Every decision is checked against an exact model.",
      "The traffic is built in, or comes from a log: 8 million requests fit into a heap of 512 MB.",
      "Without --redis or --server an embedded Redis is started."
    },
    footer = {
      "",
      "A limit is ALGORITHM:UNITS/PERIOD[,burst=N][+UNITS/PERIOD[,burst=N]...]:",
      "  fixed-window:1000/1h               at most 1000 units in an hour",
      "  sliding-window:1000/1h             the same in an hour that slides along",
      "  token-bucket:100/1m,burst=20       holds 20, gains 100 a minute",
      "  leaky-bucket:10/1s+100/1m          holds 10 and 100; both must have room",
      "  interval-bucket:100/1m             holds 100, gains 100 at once every minute",
      "Periods end in us, ms, s, m, h or d; a bucket without a burst holds what it gains in a"
          + " period.",
      "",
      "  ./penstock compare --log access.log --limit token-bucket:100/1m,burst=20 \\",
      "    --limit fixed-window:100/1m"
    },
    mixinStandardHelpOptions = true)
final class CompareCommand implements Runnable {
  private static final int LONGEST_PARAGRAPH = 1_000;
  private static final int FEW_PROCESSES = 4;
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();
  @Mixin private final LogOptions logs = new LogOptions();

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      description = {
        "a limit to compare, see below; may be repeated. Default: for built-in traffic"
            + " the five algorithms at the rate that it was made for; for a log at what 99 %% of"
            + " its subjects never exceed in a minute."
      })
  private final List<LimitCandidate> limits = new ArrayList<>();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      description = "only this built-in scenario: ${COMPLETION-CANDIDATES}.")
  private final List<TrafficScenario> scenarios = new ArrayList<>();

  @Option(
      names = "--lease",
      paramLabel = "UNITS,TIME",
      description = {
        "also plays the traffic through processes that lease at most this many units of a subject at once, for this long,"
            + " such as 100,500ms (2 units or more, 1ms to 1h), and shows what they admit, wrongly"
            + " deny and save in trips, compared with a limiter that asks each time. Each request"
            + " goes to one of them at random. Takes about twice the memory and time, and up to 80 MB"
            + " for each limit."
      })
  private @Nullable LeaseTerms lease;

  @Option(
      names = "--processes",
      paramLabel = "P",
      description = "how many processes lease, 1 to 1,000 (default " + FEW_PROCESSES + ").")
  private @Nullable Integer processes;

  @Option(
      names = {"--out", "--report"},
      paramLabel = "DIR",
      defaultValue = "penstock-report",
      description = "where compare.html and compare.json go (default ${DEFAULT-VALUE}).")
  private Path directory;

  @Override
  public void run() {
    LogSettings settings = logs.settings();
    boolean built = settings.files().isEmpty();
    require(
        built || scenarios.isEmpty(),
        "--log and --scenario are two kinds of traffic: give only one of them.");
    Set<String> names = new HashSet<>();
    for (LimitCandidate limit : limits) {
      require(
          names.add(limit.name()),
          "--limit " + limit.name() + " is given twice: give each limit once.");
    }
    LeaseSettings leases = leases();
    ReportFiles files = new ReportFiles(directory, "compare");
    if (built) {
      OrderlyStop.around(() -> run(null, leases, files));
      return;
    }
    // Checks the server before reading a long log, and closes it again: none need run while this
    // waits for input.
    options.open().close();
    try (SortedLog log = new SortedLog(settings, spec.commandLine().getErr())) {
      OrderlyStop.around(() -> run(log, leases, files));
    }
  }

  private @Nullable LeaseSettings leases() {
    require(
        processes == null || lease != null,
        "--processes needs a lease: give one with --lease, such as --lease 100,500ms.");
    require(
        processes == null || processes >= 1 && processes <= LeaseSettings.MOST_PROCESSES,
        "--processes must be from 1 to "
            + NumberText.count(LeaseSettings.MOST_PROCESSES)
            + ": "
            + processes
            + ".");
    return lease == null
        ? null
        : new LeaseSettings(processes == null ? FEW_PROCESSES : processes, lease);
  }

  private void run(@Nullable SortedLog log, @Nullable LeaseSettings leases, ReportFiles files) {
    try (CheckedServer server = options.open()) {
      CompareReport report = new CompareReport(server.title(), arguments());
      server.run(
          client -> {
            try (TemporaryKeys keys = new TemporaryKeys(client)) {
              TrafficComparison compare = new TrafficComparison(client, keys.prefix());
              if (log == null) {
                scenarios(compare, leases, server.title(), report);
              } else {
                log(compare, log, leases, server.title(), report);
              }
              if (log == null && limits.isEmpty() && scenarios.isEmpty()) {
                print("The scripts", ScriptCostTable.lines(client, keys.prefix()));
              }
              report.write(files, compare.decisions());
              String decisions = NumberText.count(compare.decisions(), "decision");
              out().println("\n" + decisions + ", all equal to the exact model.");
              out().println("Report: " + files.html() + ", figures: " + files.json());
            }
          });
    }
  }

  private void scenarios(
      TrafficComparison compare,
      @Nullable LeaseSettings leases,
      String server,
      CompareReport report) {
    boolean own = limits.isEmpty();
    List<TrafficScenario> chosen =
        scenarios.isEmpty() ? Arrays.asList(TrafficScenario.values()) : scenarios;
    out().println("Built-in traffic, on " + server);
    for (TrafficScenario scenario : chosen) {
      List<LimitCandidate> candidates = own ? scenario.candidates() : limits;
      ReplayResult played = compare.scenario(scenario, candidates, leases);
      report.add(played);
      String under = own ? ", under " + candidates.get(0).rate() : "";
      print(
          scenario.title() + under,
          own && scenario.seconds() > 0
              ? CompareText.seconds(played, scenario.seconds())
              : CompareText.summary(played, own));
      leasing(played, own, leases);
      findings(new LimitRanking(played).never());
    }
  }

  private void log(
      TrafficComparison compare,
      SortedLog sorted,
      @Nullable LeaseSettings leases,
      String server,
      CompareReport report) {
    LogPlayed log = compare.log(sorted, limits, leases, spec.commandLine().getErr());
    LogText text = new LogText(log);
    out().println(log.played().title() + " on " + server);
    print(text.about(), CompareText.summary(log.played(), false));
    leasing(log.played(), false, leases);
    out().println();
    new LimitRanking(log.played()).advice().forEach(this::paragraph);
    findings(new LimitRanking(log.played()).never());
    for (LogNote note : text.notes()) {
      paragraph(note.text());
      note.details().forEach(detail -> paragraph("  " + detail));
    }
    report.add(log);
  }

  private void leasing(ReplayResult played, boolean own, @Nullable LeaseSettings leases) {
    if (leases != null) {
      print(
          "Compared with a limiter that asks each time: " + leases,
          CompareText.leasing(played, own));
    }
  }

  private void findings(List<ReportFinding> findings) {
    findings.forEach(finding -> paragraph(finding.sentence()));
  }

  private void paragraph(String text) {
    LineWrap.lines(SafeText.terminal(text, LONGEST_PARAGRAPH)).forEach(out()::println);
  }

  private void print(String title, List<String> lines) {
    out().println();
    LineWrap.lines(title).forEach(line -> out().println(line.strip()));
    out().println();
    lines.forEach(out()::println);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  private static void require(boolean condition, String sentence) {
    if (!condition) {
      throw new UserErrorException(sentence);
    }
  }
}
