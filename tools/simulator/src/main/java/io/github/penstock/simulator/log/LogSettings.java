package io.github.penstock.simulator.log;

import io.github.penstock.simulator.record.CostRule;
import io.github.penstock.simulator.record.FieldNames;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.RecordFields;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.record.SubjectRule.Role;
import io.github.penstock.simulator.record.TimeText;
import io.github.penstock.simulator.record.UnreadableRecordException;
import io.github.penstock.simulator.traffic.SubjectShare;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which logs are read, and how.
 *
 * @param files in order; {@value #STDIN} is standard input
 * @param format null to find out
 * @param subject the limited subject
 * @param cost the cost of a request
 * @param time the field that holds the time, null to find out
 * @param timeFormat a pattern of {@link java.time.format.DateTimeFormatter}, null to find out
 * @param timeZone of times that name none, and of those that are shown; null if none was given
 * @param columns of CSV without a header; none if it has one
 * @param where which records are kept: those that all of these keep
 * @param sample the subjects whose requests are kept
 */
public record LogSettings(
    List<String> files,
    @Nullable LogFormat format,
    SubjectRule subject,
    CostRule cost,
    @Nullable String time,
    @Nullable String timeFormat,
    @Nullable ZoneId timeZone,
    List<String> columns,
    List<RowFilter> where,
    SubjectShare sample) {
  public static final String STDIN = "-";

  private static final int NAMED = 5;

  /** The files as a reader calls them, the first ones of many. */
  public String names() {
    String names =
        files.stream().limit(NAMED).map(LogSettings::name).collect(Collectors.joining(", "));
    return files.size() > NAMED ? names + " and " + (files.size() - NAMED) + " more" : names;
  }

  /** The zone of times that name none, and of those that are shown: UTC unless one was given. */
  public ZoneId zone() {
    return timeZone == null ? ZoneId.of("UTC") : timeZone;
  }

  /** Reads times as these settings say, of one file. */
  TimeText times() {
    return new TimeText(timeFormat, zone());
  }

  /** The text of a record's time; null if it has none. */
  @Nullable String time(RecordFields fields, FieldNames names) throws UnreadableRecordException {
    return time == null ? names.value(fields, Role.TIME) : names.field(fields, time);
  }

  static String name(String file) {
    return file.equals(STDIN) ? "standard input" : file;
  }

  /* How long the files are together; -1 with standard input or a pipe that has a name. */
  long bytes() {
    return files.stream()
            .allMatch(file -> !file.equals(STDIN) && Files.isRegularFile(Path.of(file)))
        ? files.stream().mapToLong(file -> Path.of(file).toFile().length()).sum()
        : -1;
  }
}
