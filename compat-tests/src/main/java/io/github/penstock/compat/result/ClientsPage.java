package io.github.penstock.compat.result;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
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
  private static final int DEPTH = 4;

  private final ClientResults results;
  private final ClientResults blocking;
  private final ClientResults asynchronous;

  ClientsPage(ClientResults results) {
    this.results = results;
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
    List<Path> files;
    PathMatcher results = root.getFileSystem().getPathMatcher("glob:**/" + RESULTS + "/*.json");
    try (Stream<Path> found = Files.find(root, DEPTH, (path, file) -> results.matches(path))) {
      files = found.sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "there are no measurements in %s/*/%s: run mvn test -Dpenstock.parallel=false -Dtest='*CompatibilityTest' -Dsurefire.failIfNoSpecifiedTests=false first"
              .formatted(root, RESULTS));
    }
    return new ClientsPage(ClientResults.read(files));
  }

  /** The page as Markdown. */
  public String text() {
    String servers =
        results.all().stream().map(CaseResult::server).distinct().sorted().collect(joining(", "));
    long stallUs = results.all().stream().mapToLong(CaseResult::stallUs).max().orElse(0);
    return """
        # The clients side by side

        What each adapter does when something goes wrong, as its compatibility suite measured it
        (%s, one machine, threads that call in a loop). This page is generated from
        those measurements; `compat-tests/README.md` says how. Times vary with the machine, on which threads
        that only slept woke up to %s late; charges must not vary.

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
