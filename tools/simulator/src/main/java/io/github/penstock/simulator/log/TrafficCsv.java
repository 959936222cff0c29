package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.csv.CSVFormat;

/**
 * Requests as CSV (RFC 4180) with the columns {@code time,client,units}, in the order of their
 * times, which are microseconds since 1970. {@code compare} and the playground read it.
 */
public final class TrafficCsv {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator('\n').get();

  private TrafficCsv() {}

  /** Writes all requests of a log; replaces the file. */
  public static void write(SortedLog log, Path file) {
    try (Writer csv = Files.newBufferedWriter(file)) {
      FORMAT.printRecord(csv, "time", "client", "units");
      RequestSource source = log.source();
      for (TrafficRequest each = source.next(); each != null; each = source.next()) {
        FORMAT.printRecord(csv, each.timeUs(), each.subject(), each.cost());
      }
    } catch (IOException failure) {
      throw new UserErrorException(
          "--traffic-csv " + file + " cannot be written: " + failure.getMessage(), failure);
    }
  }
}
