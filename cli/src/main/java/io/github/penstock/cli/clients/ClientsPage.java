package io.github.penstock.cli.clients;

import static java.util.stream.Collectors.joining;

import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.ChoiceResult;
import io.github.penstock.compat.result.CircuitResult;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.report.text.NumberText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The page that shows all clients side by side, made of what their suites measured: every figure
 * and the sentence of advice come from there.
 */
final class ClientsPage {
  private static final int DEPTH = 5;

  /** The command that measures. */
  private static final String MEASURE =
      "mvn test -Dpenstock.parallel=false -Dpenstock.clients.long=true -Dtest='*CompatibilityTest'"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  private static final String NO_TABLE =
      """
      ## What stands in no table

      - A `MULTI` that the application has begun on a connection which it shares with a Lettuce limiter: the call is
        refused as set up wrong, and nothing joins the `EXEC`. The other clients take a connection of their pool.
      - What cannot be had on GLIDE: a cluster, Sentinel, and a call that is taken back. Its column is that of `connect`; a client
        that is handed in waits for its lost connection inside, so that every call of an outage may have been charged.
      - Clocks of two servers that differ: a server's clock can only be set by a library made for it. `docs/reliability.md`
        says what was measured by hand, both ways.
      """;

  private final CaseResults results;
  private final List<CircuitResult> circuits;
  private final List<ChoiceResult> choices;
  private final CaseResults blocking;
  private final CaseResults asynchronous;

  ClientsPage(CaseResults results, List<CircuitResult> circuits, List<ChoiceResult> choices) {
    this.results = results;
    this.choices = choices;
    this.circuits = circuits.stream().sorted(Comparator.comparing(CircuitResult::client)).toList();
    blocking = results.blocking();
    asynchronous = results.asynchronous();
  }

  /**
   * Reads the results of all modules of a project.
   *
   * @param root the project's directory; results lie in {@code target/penstock-clients} of the
   *     directories in it
   * @throws IllegalArgumentException if there are none; the message says how to make them
   */
  static ClientsPage of(Path root) throws IOException {
    List<Path> files = files(root, CaseResultFile.CASES);
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "there are no measurements in %s/*/%s: run %s first"
              .formatted(root, CaseResultFile.CASES, MEASURE));
    }
    return new ClientsPage(
        CaseResults.read(files),
        read(root, CaseResultFile.CIRCUITS, CircuitResult.class),
        read(root, CaseResultFile.CHOICES, ChoiceResult.class));
  }

  private static <T> List<T> read(Path root, String directory, Class<T> type) throws IOException {
    return files(root, CaseResultFile.CASES + "/" + directory).stream()
        .flatMap(file -> CaseResultFile.read(file, type).stream())
        .toList();
  }

  private static List<Path> files(Path root, String directory) throws IOException {
    PathMatcher wanted = root.getFileSystem().getPathMatcher("glob:**/" + directory + "/*.json");
    try (Stream<Path> found = Files.find(root, DEPTH, (path, file) -> wanted.matches(path))) {
      return found.sorted().toList();
    }
  }

  /** The page as Markdown. */
  String text() {
    String servers =
        results.all().stream().map(CaseResult::server).distinct().sorted().collect(joining(", "));
    long stallUs =
        LongStream.concat(
                results.all().stream().mapToLong(CaseResult::stallUs),
                circuits.stream().mapToLong(CircuitResult::stallUs))
            .max()
            .orElse(0);
    return """
        # The clients side by side

        What each adapter does when something goes wrong, as its compatibility suite measured it
        (%s, one machine, threads that call in a loop). This page is generated from
        those measurements; `compat-tests/README.md` says how. Times vary with the machine:
        an idle thread woke up to %s late. Charges must not vary.

        `socket` is the suite's own example over plain sockets, not a client to choose.

        ## Advice

        %s

        """
            .formatted(servers, millis(stallUs), new ClientsAdvice(results).sentence())
        + String.join(
            "\n",
            table(
                "Charges per call",
                "The highest number of charges that the server counted for one call. A failed call may have been charged once.",
                ClientsPage::charges),
            table(
                "Slowest call",
                "The deadline of the case is in brackets.",
                result -> slowest(result)),
            table(
                "Failed calls",
                "Failed calls of all calls; then how many of the failed ones had to say that they may have been charged.",
                result ->
                    "%s of %s; %s"
                        .formatted(
                            NumberText.count(result.errors()),
                            NumberText.count(result.calls()),
                            NumberText.count(result.unknown()))),
            table(
                "Recovery",
                "Time from the end of the fault (after a failover: from the new primary's first answer) to the last call that"
                    + " failed.",
                result -> millis(result.recoveryUs())),
            overAdmission(),
            logLines(),
            opened(),
            leftAlone(),
            asynchronousCalls(),
            NO_TABLE);
  }

  private static String charges(CaseResult result) {
    return result.mostCharges() == null ? "-" : result.mostCharges().toString();
  }

  private static String slowest(CaseResult result) {
    return slowest(result.slowestUs(), result.deadlineUs());
  }

  private static String slowest(long slowestUs, long deadlineUs) {
    return millis(slowestUs) + " (" + millis(deadlineUs) + ")";
  }

  private String table(String title, String explanation, Function<CaseResult, String> cell) {
    return "## " + title + "\n\n" + explanation + "\n\n" + rows(blocking, cell);
  }

  private static String rows(CaseResults results, Function<CaseResult, String> cell) {
    List<String> clients = results.clients();
    StringBuilder rows = new StringBuilder(head(clients));
    for (FaultCase fault : results.faults()) {
      String cells =
          clients.stream()
              .map(client -> results.of(client, fault).map(cell).orElse("not tested"))
              .collect(joining(" | "));
      rows.append("| ").append(fault.text()).append(" | ").append(cells).append(" |\n");
    }
    return rows.toString();
  }

  private static String head(List<String> clients) {
    return "| |" + String.join("|", clients) + "|\n|---|" + "---:|".repeat(clients.size()) + "\n";
  }

  private String overAdmission() {
    return tableOf(
        "Units admitted above the limit",
        "Charges that a server lost, as it was killed, evicted them or had not sent them to its replica: so many units more"
            + " are admitted.",
        CaseResult::overAdmitted);
  }

  private String logLines() {
    return tableOf(
        "Log lines",
        "Lines that two threads' limiters with `onUnavailable(ALLOW)` logged from the beginning of the fault until calm.",
        CaseResult::logLines);
  }

  private String tableOf(
      String title, String explanation, Function<CaseResult, @Nullable Long> figure) {
    List<CaseResult> with =
        blocking.all().stream().filter(result -> figure.apply(result) != null).toList();
    return with.isEmpty()
        ? ""
        : "## %s\n\n%s\n\n".formatted(title, explanation)
            + rows(new CaseResults(with), result -> NumberText.count(figure.apply(result)));
  }

  private String opened() {
    if (choices.isEmpty()) {
      return "";
    }
    List<String> clients = choices.stream().map(ChoiceResult::client).distinct().sorted().toList();
    StringBuilder rows = new StringBuilder(head(clients));
    choices.stream()
        .map(ChoiceResult::failure)
        .distinct()
        .forEach(failure -> rows.append(openedRow(failure, clients)));
    return """
        ## What opens under `onUnavailable(ALLOW)`

        Calls allowed though no server decided them, denied, and failed, of all calls. Those that are missing were
        decided by the server. Blocking, asynchronous and in batches, after the first call that showed the failure.
        What opens looks like an outage; `awaitConnected` and `throwUntilFirstDecision` show it when a service starts.

        """
        + rows;
  }

  private String openedRow(String failure, List<String> clients) {
    return clients.stream()
        .map(
            client ->
                choices.stream()
                    .filter(one -> one.client().equals(client) && one.failure().equals(failure))
                    .findFirst()
                    .map(ClientsPage::ends)
                    .orElse("not tested"))
        .collect(joining(" | ", "| " + failure + " | ", " |\n"));
  }

  private static String ends(ChoiceResult result) {
    return "%s, %s, %s of %s"
        .formatted(
            NumberText.count(result.open()),
            NumberText.count(result.denied()),
            NumberText.count(result.thrown()),
            NumberText.count(result.calls()));
  }

  private String leftAlone() {
    if (circuits.isEmpty()) {
      return "";
    }
    CircuitResult any = circuits.get(0);
    return "## A circuit that is open\n\n"
        + """
          %d threads call in a loop, with `onUnavailable(ALLOW)` and `circuitBreaker` of %s, while the server
          is stopped: how long a call takes once the circuit is open (the slowest are those that are sent), how many calls of a
          process are sent while it is open once, and how long after the server resumed the last call was still decided without it.

          """
            .formatted(any.threads(), millis(any.openUs()))
        + circuitRow("", CircuitResult::client)
        + "|---|"
        + "---:|".repeat(circuits.size())
        + "\n"
        + circuitRow("a call, median", one -> shortTime(one.medianNanos()))
        + circuitRow(
            "a call, slowest (deadline)", one -> slowest(one.slowestUs(), one.deadlineUs()))
        + circuitRow(
            "calls sent while it is open",
            one -> NumberText.tenths((double) one.asked() * one.openUs() / one.watchedUs()))
        + circuitRow("back after", one -> millis(one.backUs()));
  }

  private String circuitRow(String name, Function<CircuitResult, String> cell) {
    return circuits.stream().map(cell).collect(joining(" | ", "| " + name + " | ", " |\n"));
  }

  private String asynchronousCalls() {
    if (asynchronous.all().isEmpty()) {
      return "";
    }
    return "## Asynchronous calls\n\n"
        + "The same faults, for clients that have asynchronous limiters: charges per call;"
        + " slowest call (deadline); failed calls; recovery.\n\n"
        + rows(
            asynchronous,
            result ->
                "%s; %s; %s; %s"
                    .formatted(
                        charges(result),
                        slowest(result),
                        NumberText.count(result.errors()),
                        millis(result.recoveryUs())));
  }

  /* Milliseconds wherever they say enough, so that the figures of a table can be compared. */
  private static String millis(long micros) {
    if (micros <= 0) {
      return "0";
    }
    if (micros < 100) {
      return "< 0.1 ms";
    }
    return micros < 10_000
        ? NumberText.tenths(Math.round(micros / 100.0) / 10.0) + " ms"
        : NumberText.count(micros / 1_000.0) + " ms";
  }

  private static String shortTime(long nanos) {
    long micros = (nanos + 500) / 1_000;
    return micros < 100 ? micros + " µs" : millis(micros);
  }
}
