package io.github.penstock.cli;

import static io.github.penstock.report.console.UserErrorException.require;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogSettings;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.log.TrafficCsv;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The output of {@code compare} for the playground, the page in which the scripts run. */
final class PlaygroundOptions {
  private static final Set<String> SCHEMES = Set.of("https", "http", "file");

  @Option(
      names = "--traffic-csv",
      paramLabel = "FILE",
      description =
          "also writes the log's requests as CSV, time,client,units, which the playground and compare (with --cost"
              + " field:units) read.")
  private @Nullable Path csv;

  @Option(
      names = "--site",
      paramLabel = "URL",
      description =
          "where a version of the site is published, such as https://example.org/penstock/0.1.0: the report links to its playground,"
              + " with the first six limits.")
  private @Nullable URI site;

  /** Throws a {@link UserErrorException} if the URL is none, or the file is a log that is read. */
  void check(LogSettings logs) {
    require(
        site == null
            || SCHEMES.contains(String.valueOf(site.getScheme()))
                && !site.isOpaque()
                && site.getRawQuery() == null
                && site.getRawFragment() == null
                && site.getRawUserInfo() == null,
        "--site "
            + site
            + " must be the address of a site, such as https://example.org/penstock/0.1.0.");
    require(
        csv == null || logs.files().stream().noneMatch(log -> isSame(csv, log)),
        "--traffic-csv " + csv + " is a log that is read: name another file.");
  }

  private static boolean isSame(Path file, String log) {
    try {
      return !log.equals(LogSettings.STDIN)
          && Files.exists(file)
          && Files.isSameFile(file, Path.of(log));
    } catch (IOException unreadable) {
      return true;
    }
  }

  /** Writes the log's requests if that is asked for. */
  void write(SortedLog log) {
    if (csv != null) {
      TrafficCsv.write(log, csv);
    }
  }

  @Nullable URI site() {
    return site;
  }
}
