package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.OwnKeys;
import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.ServerOptions;
import io.github.penstock.benchmarks.compare.Compare.LogPlayed;
import io.github.penstock.benchmarks.compare.log.Converted;
import io.github.penstock.benchmarks.compare.log.LogOptions;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.ReportFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import redis.clients.jedis.RedisClient;

/** What each algorithm does to traffic. */
@Command(
    name = "compare",
    header = "What each algorithm would have done to this traffic.",
    description = {
      "Plays traffic through the shipped scripts on a real server and shows what each limit let through, how long it"
          + " made callers wait, and whom it denied; then writes a report (HTML) and its figures (JSON). The scripts"
          + " are told the time, so that nothing waits. Every decision is held against an exact model.",
      "The traffic is built in, or comes from a log.",
      "Without --redis or --server an embedded Redis is started for it."
    },
    footer = {
      "",
      "A limit is " + LimitText.GRAMMAR + ":",
      "  fixed-window:1000/1h               at most 1000 units in an hour",
      "  token-bucket:100/1m,burst=20       holds 20, gains 100 a minute",
      "  leaky-bucket:10/1s+100/1m          holds 10 and 100; both must have room",
      "Periods end in us, ms, s, m, h or d; a bucket without a burst holds what it gains in a period.",
      "",
      "  ./penstock compare --log access.log --limit token-bucket:100/1m,burst=20 \\",
      "    --limit fixed-window:100/1m"
    },
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Runnable {
  private static final int LONGEST_REASON = 300;
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();
  @Mixin private final LogOptions logs = new LogOptions();

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      converter = CandidateConverter.class,
      description = {
        "a limit to be compared, see below; several for several. Without it: for built-in traffic the three algorithms at"
            + " the rate that it was made for; for a log at what 99 %% of its subjects never exceed in a minute."
      })
  private final List<Candidate> limits = new ArrayList<>();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      converter = ScenarioConverter.class,
      completionCandidates = ScenarioNames.class,
      description = "only this built-in traffic: ${COMPLETION-CANDIDATES}.")
  private final List<Scenario> scenarios = new ArrayList<>();

  @Option(
      names = {"--out", "--report"},
      paramLabel = "DIR",
      defaultValue = "penstock-report",
      description = "where compare.html and compare.json go (default ${DEFAULT-VALUE}).")
  private Path directory;

  @Override
  public void run() {
    if (logs.checked().given() && !scenarios.isEmpty()) {
      throw new Complaint("--log and --scenario are two kinds of traffic: give one of them.");
    }
    Set<String> names = new HashSet<>();
    for (Candidate limit : limits) {
      if (!names.add(limit.name())) {
        throw new Complaint("--limit " + limit.name() + " is given twice: each is played once.");
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    CleanStop.around(() -> run(out));
  }

  private void run(PrintWriter out) {
    ReportFiles files = new ReportFiles(directory, "compare");
    try (Server server = Server.open(options)) {
      server.run(client -> compare(client, server, out, files));
    }
  }

  private void compare(RedisClient client, Server server, PrintWriter out, ReportFiles files) {
    try (OwnKeys keys = new OwnKeys(client)) {
      Compare compare = new Compare(client, keys.prefix());
      CompareReport report = new CompareReport(server.title(), arguments());
      if (logs.given()) {
        log(compare, server, out, report);
      } else {
        scenarios(compare, server, out, report);
        if (limits.isEmpty() && scenarios.isEmpty()) {
          print(out, "The scripts", ScriptCosts.lines(client, keys.prefix()));
        }
      }
      out.println();
      out.println(Say.count(compare.decisions(), "decision") + ", all equal to the exact model.");
      report.write(files, compare.decisions());
      out.println("Report: " + files.html() + ", figures: " + files.json());
    }
  }

  private void scenarios(Compare compare, Server server, PrintWriter out, CompareReport report) {
    boolean own = limits.isEmpty();
    List<Scenario> chosen = scenarios.isEmpty() ? Arrays.asList(Scenario.values()) : scenarios;
    out.println("Built-in traffic, on " + server.title());
    for (Scenario scenario : chosen) {
      List<Candidate> candidates = own ? scenario.candidates() : limits;
      Played played = compare.scenario(scenario, candidates);
      report.add(scenario, played, own);
      if (own && scenario.isShort()) {
        print(
            out,
            scenario.title() + ", under 1000 per 3 s",
            CompareText.seconds(played, scenario.seconds()));
        out.println();
        ShortScenarios.why(scenario, played)
            .forEach(line -> CompareText.wrap(line).forEach(out::println));
      } else {
        String under = own ? ", under " + Span.rate(candidates.get(0)) : "";
        print(out, scenario.title() + under, CompareText.summary(played, own));
        never(played).forEach(line -> CompareText.wrap(line).forEach(out::println));
      }
    }
  }

  private void log(Compare compare, Server server, PrintWriter out, CompareReport report) {
    PrintWriter err = spec.commandLine().getErr();
    if (limits.isEmpty() && logs.readOnce().isPresent()) {
      throw new Complaint(
          "--log "
              + logs.readOnce().get()
              + " needs a --limit: a limit can be derived only from a file, which is read twice.");
    }
    List<Candidate> candidates = limits.isEmpty() ? Compare.derived(logs, err) : limits;
    LogPlayed log = compare.log(logs, candidates, err);
    out.println(log.played().title() + " on " + server.title());
    print(
        out,
        LogText.about(log, logs.subject().toString()),
        CompareText.summary(log.played(), false));
    List<String> notes = new ArrayList<>(never(log.played()));
    notes.addAll(LogText.notes(log, limits.isEmpty()));
    if (!notes.isEmpty()) {
      out.println();
    }
    notes.forEach(
        note -> CompareText.wrap(Say.foreign(note, LONGEST_REASON)).forEach(out::println));
    report.add(log, limits.isEmpty(), logs.subject().toString());
  }

  private static List<String> never(Played played) {
    return Advice.never(played).stream().map(Finding::sentence).toList();
  }

  private static void print(PrintWriter out, String title, List<String> lines) {
    out.println();
    out.println(title);
    out.println();
    lines.forEach(out::println);
  }

  private List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  /** As picocli wants it. */
  static final class CandidateConverter implements ITypeConverter<Candidate> {
    @Override
    public Candidate convert(String value) {
      return Converted.of(value, Candidate::of);
    }
  }

  /** As picocli wants it. */
  static final class ScenarioConverter implements ITypeConverter<Scenario> {
    @Override
    public Scenario convert(String value) {
      return Converted.of(value, Scenario::named);
    }
  }

  /** As picocli wants it. */
  static final class ScenarioNames extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    ScenarioNames() {
      super(Scenario.options());
    }
  }
}
