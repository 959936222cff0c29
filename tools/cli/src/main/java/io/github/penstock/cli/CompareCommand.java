package io.github.penstock.cli;

import static io.github.penstock.report.console.UserErrorException.require;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.operations.server.TemporaryKeys;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.advice.DemandProfile;
import io.github.penstock.simulator.log.LogSettings;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.log.TokenLog;
import io.github.penstock.simulator.log.TokenLog.CallNumbers;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.TrafficComparison;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.report.CompareReport;
import io.github.penstock.simulator.report.DemandText;
import io.github.penstock.simulator.report.LimitAdvice;
import io.github.penstock.simulator.report.LimitCautions;
import io.github.penstock.simulator.report.LimitTables;
import io.github.penstock.simulator.report.LogText;
import io.github.penstock.simulator.tokens.TokenCall;
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
import java.util.concurrent.Callable;
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
          + " (HTML) and its figures (JSON). The scripts get the time of each request as an"
          + " argument, so that nothing waits. Every decision is checked against an exact model.",
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
      "    --limit fixed-window:100/1m",
      "  ./penstock compare --log access.log --suggest 1m",
      "  ./penstock compare --log calls.csv --subject field:tenant --duration field:seconds \\",
      "    --estimated field:max_tokens --used field:tokens --limit sliding-window:100000/1m"
    },
    mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
  private static final int ASSERTION_FAILED = 3;
  private static final int FEW_PROCESSES = 4;
  private static final int LONGEST = 2_000;
  private static final String SHORT_PERIOD = "1s";
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();
  @Mixin private final LogOptions logs = new LogOptions();
  @Mixin private final TokenOptions tokens = new TokenOptions();
  @Mixin private final ReplayOptions replay = new ReplayOptions();
  @Mixin private final PlaygroundOptions playground = new PlaygroundOptions();

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      description = {
        "a limit to compare, see below; may be repeated. Default: for built-in traffic"
            + " each algorithm at the rate that it was made for; for a log the number that its"
            + " subjects suggest."
      })
  private final List<LimitCandidate> limits = new ArrayList<>();

  @Option(
      names = "--suggest",
      paramLabel = "PERIOD",
      description =
          "the period of the limits that a log suggests (default 1m): a number that troubles at"
              + " most 1 %% of its subjects.")
  private @Nullable String suggest;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      defaultValue = "1s",
      description =
          "an admitted request that a leaky bucket puts off for longer is not served (default"
              + " ${DEFAULT-VALUE}).")
  private String deadline;

  @Option(
      names = "--assert",
      paramLabel = "RULE",
      description =
          "fails with exit code 3 unless each --limit keeps to it: denied<0.5%% (requests that are"
              + " denied or put off beyond the deadline) or subjects<1%% (troubled ones); may be"
              + " repeated.")
  private final List<LimitAssertion> assertions = new ArrayList<>();

  @Option(
      names = "--diff",
      arity = "2",
      paramLabel = "FILE",
      description =
          "plays nothing: says what changed between two compare.json, the older one first, and who"
              + " is denied now that was not.")
  private final List<Path> difference = new ArrayList<>();

  private @Nullable String failure;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      completionCandidates = ScenarioNames.class,
      description = {
        "only this built-in scenario: ${COMPLETION-CANDIDATES}.",
        "tokens, by itself, has calls whose cost is known only at their end, and compares four ways"
            + " to charge them: afterwards, by estimate, by estimate with a late refund, reserved."
      })
  private final List<String> scenarios = new ArrayList<>();

  @Option(
      names = "--lease",
      paramLabel = "UNITS,TIME",
      description = {
        "also plays the traffic through processes that lease at most this many units of a subject"
            + " at once, for this long, such as 100,500ms (2 units or more, 1ms to 1h), and shows"
            + " what they admit, wrongly deny and save in trips, compared with a limiter that asks"
            + " each time. Each request goes to one of them at random. Takes about twice the memory"
            + " and time, and up to 80 MB for each limit."
      })
  private @Nullable LeaseTerms lease;

  @Option(
      names = "--processes",
      paramLabel = "P",
      description = "how many processes lease, 1 to 10,000 (default " + FEW_PROCESSES + ").")
  private @Nullable Integer processes;

  @Option(
      names = {"--out", "--report"},
      paramLabel = "DIR",
      defaultValue = "penstock-report",
      description = "where compare.html and compare.json go (default ${DEFAULT-VALUE}).")
  private Path directory;

  @Override
  public Integer call() {
    if (!difference.isEmpty()) {
      require(
          spec.commandLine().getParseResult().matchedOptions().size() == 1
              && difference.size() == 2,
          "--diff takes two files, and no other option beside it.");
      ComparePrinter printer = new ComparePrinter(out(), null);
      CompareDifference.of(difference.get(0), difference.get(1)).forEach(printer::line);
      return 0;
    }
    require(
        assertions.isEmpty() || !limits.isEmpty() && !logs.settings().files().isEmpty(),
        "--assert needs a log and a limit: give them with --log and --limit.");
    require(
        assertions.isEmpty() || logs.settings().sample().isWhole(),
        "--assert needs the whole log: leave out --sample.");
    run();
    if (failure != null) {
      spec.commandLine().getErr().println("penstock: " + SafeText.terminal(failure, LONGEST));
    }
    return failure == null ? 0 : ASSERTION_FAILED;
  }

  private void run() {
    LogSettings settings = logs.settings();
    boolean built = settings.files().isEmpty();
    require(
        built || scenarios.isEmpty(),
        "--log and --scenario are two kinds of traffic: give only one of them.");
    checkSuggest(built);
    playground.check(settings);
    deadlineUs();
    List<TrafficScenario> traffic = traffic();
    Set<String> names = new HashSet<>();
    for (LimitCandidate limit : limits) {
      require(
          names.add(limit.name()),
          "--limit " + limit.name() + " is given twice: give each limit once.");
    }
    LeaseSettings leases = leases();
    replay.threads();
    ReportFiles files = new ReportFiles(directory, "compare");
    TokenCompare fourWays = fourWays(settings);
    if (fourWays != null) {
      OrderlyStop.around(() -> fourWays.run(options, arguments(), files, out()));
      return;
    }
    if (built) {
      OrderlyStop.around(() -> run(null, traffic, leases, files));
      return;
    }
    // Checks the server before reading a long log, and closes it again: none need run while this
    // waits for input.
    options.open().close();
    try (SortedLog log = new SortedLog(settings, spec.commandLine().getErr())) {
      OrderlyStop.around(() -> run(log, traffic, leases, files));
    }
  }

  private List<TrafficScenario> traffic() {
    if (scenarios.contains(ScenarioNames.TOKENS)) {
      require(scenarios.size() == 1, "--scenario tokens is played by itself: name no other.");
      return List.of();
    }
    try {
      return scenarios.stream().map(TrafficScenario::named).toList();
    } catch (IllegalArgumentException unknown) {
      throw new UserErrorException(
          "--scenario " + unknown.getMessage() + " or be tokens.", unknown);
    }
  }

  /* Null if requests are compared whose cost is known when they come. */
  private @Nullable TokenCompare fourWays(LogSettings settings) {
    CallNumbers numbers = tokens.numbers();
    boolean built = settings.files().isEmpty();
    if (numbers == null && !scenarios.contains(ScenarioNames.TOKENS)) {
      return null;
    }
    require(numbers == null || !built, "--used needs a log: give one with --log.");
    for (String option :
        List.of(
            "--lease",
            "--suggest",
            "--cost",
            "--check",
            "--where",
            "--assert",
            "--traffic-csv",
            "--site")) {
      require(
          !spec.commandLine().getParseResult().hasMatchedOption(option),
          option + " is for requests whose cost is known when they come: leave it out here.");
    }
    if (numbers == null) {
      return new TokenCompare(null, "Calls of a language model", limits, replay.threads());
    }
    List<TokenCall> calls = TokenLog.read(settings, numbers);
    return new TokenCompare(calls, settings.names(), limits, replay.threads());
  }

  private void checkSuggest(boolean built) {
    if (suggest == null) {
      return;
    }
    require(!built, "--suggest needs a log: give one with --log.");
    require(
        limits.isEmpty(), "--suggest finds limits, and --limit gives them: give only one of them.");
    require(
        isPeriod(suggest),
        "--suggest " + suggest + ": a period must be from 1us to 366d, such as 1m, 10s or 1h.");
  }

  private long deadlineUs() {
    require(
        isPeriod(deadline),
        "--deadline " + deadline + ": a time must be from 1us to 366d, such as 500ms or 1s.");
    return LimitCandidate.periodMicros(deadline);
  }

  private static boolean isPeriod(String text) {
    try {
      return LimitCandidate.ofEachAlgorithm("1/" + text).stream()
          .allMatch(each -> each.limit().tiers().size() == 1);
    } catch (IllegalArgumentException wrong) {
      return false;
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

  private void run(
      @Nullable SortedLog log,
      List<TrafficScenario> traffic,
      @Nullable LeaseSettings leases,
      ReportFiles files) {
    try (CheckedServer server = options.open()) {
      CompareReport report = new CompareReport(server.title(), arguments(), playground.site());
      ComparePrinter printer = new ComparePrinter(out(), leases);
      server.run(
          client -> {
            try (TemporaryKeys keys = new TemporaryKeys(client)) {
              TrafficComparison compare =
                  new TrafficComparison(client, replay.threads(), keys.prefix());
              if (log == null) {
                out().println("Built-in traffic, on " + server.title());
                scenarios(compare, traffic, leases, printer, report);
              } else {
                String title = SafeText.terminal(log.settings().names());
                log(compare, log, leases, title + " on " + server.title(), report);
              }
              String decisions = CompareReport.decisions(compare.decisions(), compare.checked());
              report.write(files, decisions);
              printer.blank();
              printer.line(decisions);
              String written = "Report: " + files.html() + ", figures: " + files.json();
              out().println(SafeText.terminal(written, LONGEST));
            }
          });
    }
  }

  private void scenarios(
      TrafficComparison compare,
      List<TrafficScenario> traffic,
      @Nullable LeaseSettings leases,
      ComparePrinter printer,
      CompareReport report) {
    boolean own = limits.isEmpty();
    List<TrafficScenario> chosen =
        traffic.isEmpty() ? Arrays.asList(TrafficScenario.values()) : traffic;
    for (TrafficScenario scenario : chosen) {
      List<LimitCandidate> candidates = own ? scenario.candidates() : limits;
      ReplayResult played = compare.scenario(scenario, candidates, leases);
      report.add(played);
      String under = own ? ", under " + candidates.get(0).rate() : "";
      printer.table(scenario.title() + under, LimitTables.summary(played, own).linesByNumber(true));
      printer.leasing(played, own);
      printer.findings(LimitCautions.of(played));
    }
  }

  private void log(
      TrafficComparison compare,
      SortedLog sorted,
      @Nullable LeaseSettings leases,
      String title,
      CompareReport report) {
    PrintWriter err = spec.commandLine().getErr();
    playground.write(sorted);
    DemandProfile demand = demand(sorted);
    LogPlayed log = compare.log(sorted, demand, limits, leases, replay.check(), deadlineUs(), err);
    ComparePrinter printer = new ComparePrinter(out(), leases);
    LimitAdvice advice = new LimitAdvice(log);
    DemandText text = new DemandText(log);
    LogText about = new LogText(log);
    out().println(title);
    printer.blank();
    printer.paragraph(about.about());
    printer.blank();
    printer.findings(about.cautions());
    printer.findings(LimitCautions.of(log.played()));
    printer.paragraph(advice.sentence());
    if (advice.hasLimit()) {
      printer.table(advice.table().lines());
    }
    printer.blank();
    printer.paragraph(text.quantiles());
    text.notes().forEach(printer::paragraph);
    if (advice.hasLimit()) {
      printer.table("All limits", LimitTables.summary(log.played(), false).linesByNumber(true));
    }
    printer.leasing(log.played(), false);
    printer.blank();
    printer.notes(about);
    report.add(log);
    failure = LimitAssertion.failure(assertions, log.played()).orElse(null);
  }

  private DemandProfile demand(SortedLog sorted) {
    DemandProfile demand = DemandProfile.of(sorted, suggest == null ? "1m" : suggest);
    require(
        suggest == null || demand.spanUs() >= demand.periodUs(),
        "--suggest %s: the log covers %s only. Name a period that it covers, such as %s."
            .formatted(suggest, NumberText.time(demand.spanUs()), SHORT_PERIOD));
    return suggest != null || demand.spanUs() >= demand.periodUs()
        ? demand
        : DemandProfile.of(sorted, SHORT_PERIOD);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }
}
