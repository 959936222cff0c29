package io.github.penstock.compat.result;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The page that shows all clients side by side, made of what their suites measured: every figure
 * and the sentence of advice come from there.
 */
public final class ClientsPage {
  private static final String RESULTS = "target/penstock-clients";
  private static final int DEPTH = 5;

  private final ClientResults results;
  private final List<PauseResult> pauses;
  private final ClientResults blocking;
  private final ClientResults asynchronous;

  ClientsPage(ClientResults results, List<PauseResult> pauses) {
    this.results = results;
    this.pauses = pauses.stream().sorted(Comparator.comparing(PauseResult::client)).toList();
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
  public static ClientsPage of(Path root) throws IOException {
    List<Path> files = files(root, RESULTS);
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "there are no measurements in %s/*/%s: run mvn test -Dpenstock.parallel=false -Dtest='*CompatibilityTest' -Dsurefire.failIfNoSpecifiedTests=false first"
              .formatted(root, RESULTS));
    }
    List<PauseResult> pauses = new ArrayList<>();
    files(root, RESULTS + "/" + CaseResultFile.PAUSES)
        .forEach(file -> pauses.addAll(CaseResultFile.read(file, PauseResult.class)));
    return new ClientsPage(ClientResults.read(files), pauses);
  }

  private static List<Path> files(Path root, String directory) throws IOException {
    PathMatcher wanted = root.getFileSystem().getPathMatcher("glob:**/" + directory + "/*.json");
    try (Stream<Path> found = Files.find(root, DEPTH, (path, file) -> wanted.matches(path))) {
      return found.sorted().toList();
    }
  }

  /** The page as Markdown. */
  public String text() {
    String servers =
        results.all().stream().map(CaseResult::server).distinct().sorted().collect(joining(", "));
    long stallUs =
        Stream.concat(results.all().stream(), pauses.stream())
            .mapToLong(ClientResult::stallUs)
            .max()
            .orElse(0);
    return """
        # The clients side by side

        What each adapter does when something goes wrong, as its compatibility suite measured it
        (%s, one machine, threads that call in a loop). This page is generated from
        those measurements; `compat-tests/README.md` says how. Times vary with the machine: a thread that
        had nothing else to do woke up to %s late. Charges must not vary.

        `socket` is the suite's own example, on plain sockets, and no client to choose.

        ## Advice

        %s

        """
            .formatted(servers, MillisText.of(stallUs), new ClientsAdvice(results).sentence())
        + String.join(
            "\n",
            table(
                "Charges per call",
                "The most that the server counted for one call. A failed call may have been charged once.",
                result -> result.mostCharges() == null ? "-" : result.mostCharges().toString()),
            table(
                "Slowest call",
                "The deadline of the case is in brackets.",
                result -> slowest(result)),
            table(
                "Failed calls",
                "Failed of all, and how many of the failed had to say that they may have been charged.",
                result ->
                    String.format(
                        Locale.ROOT,
                        "%,d of %,d; %,d",
                        result.errors(),
                        result.calls(),
                        result.unknown())),
            table(
                "Recovery",
                "From when the cause was gone (after a failover: when the new primary answered) until the last call"
                    + " failed.",
                result -> MillisText.of(result.recoveryUs())),
            overAdmission(),
            leftAlone(),
            asynchronousCalls());
  }

  private static String slowest(CaseResult result) {
    return MillisText.of(result.slowestUs()) + " (" + MillisText.of(result.deadlineUs()) + ")";
  }

  private String table(String title, String explanation, Function<CaseResult, String> cell) {
    return "## " + title + "\n\n" + explanation + "\n\n" + rows(blocking, cell);
  }

  private static String rows(ClientResults results, Function<CaseResult, String> cell) {
    List<String> clients = results.clients();
    StringBuilder rows =
        new StringBuilder("| |").append(String.join("|", clients)).append("|\n|---|");
    rows.append("---:|".repeat(clients.size())).append('\n');
    for (String name : results.cases()) {
      String cells =
          clients.stream()
              .map(client -> results.of(client, name).map(cell).orElse("not tested"))
              .collect(joining(" | "));
      rows.append("| ").append(name).append(" | ").append(cells).append(" |\n");
    }
    return rows.toString();
  }

  private String overAdmission() {
    List<CaseResult> lossy =
        blocking.all().stream().filter(result -> result.overAdmitted() != null).toList();
    return "## Units admitted above the limit\n\n"
        + "A replica that takes over lacks the charges that had not reached it yet.\n\n"
        + rows(new ClientResults(lossy), result -> String.valueOf(result.overAdmitted()));
  }

  private String leftAlone() {
    if (pauses.isEmpty()) {
      return "";
    }
    PauseResult any = pauses.get(0);
    return "## A server that is left alone\n\n"
        + """
          %d threads call in a loop, with `onUnavailable(ALLOW)` and `pauseWhenUnavailable` of %s, while the server
          is stopped: how long a call takes once the pause has begun (the slowest are those that ask), how many of a
          process ask in the length of a pause, and how long after the server went on the last call was decided
          without it.

          """
            .formatted(any.threads(), MillisText.of(any.pauseUs()))
        + pauseRow("", PauseResult::client)
        + "|---|"
        + "---:|".repeat(pauses.size())
        + "\n"
        + pauseRow("a call, median", one -> MillisText.ofNanos(one.medianNanos()))
        + pauseRow(
            "a call, slowest (deadline)",
            one -> MillisText.of(one.slowestUs()) + " (" + MillisText.of(one.deadlineUs()) + ")")
        + pauseRow(
            "calls that ask in a pause",
            one -> String.format(Locale.ROOT, "%.1f", one.askedPerPause()))
        + pauseRow("back after", one -> MillisText.of(one.backUs()));
  }

  private String pauseRow(String name, Function<PauseResult, String> cell) {
    return pauses.stream().map(cell).collect(joining(" | ", "| " + name + " | ", " |\n"));
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
                String.format(
                    Locale.ROOT,
                    "%s; %s; %,d; %s",
                    result.mostCharges(),
                    slowest(result),
                    result.errors(),
                    MillisText.of(result.recoveryUs())));
  }
}
