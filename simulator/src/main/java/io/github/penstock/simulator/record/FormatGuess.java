package io.github.penstock.simulator.record;

import io.github.penstock.report.console.UserErrorException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out from its first lines how a log is written. */
public final class FormatGuess {
  private static final Predicate<String> BINARY =
      Pattern.compile("[\\x00-\\x08\ufffd]").asPredicate();

  private FormatGuess() {}

  /**
   * The format.
   *
   * @param beginning the first lines
   * @param given what the user says; null if nothing
   */
  public static LogFormat of(String file, List<String> beginning, @Nullable LogFormat given) {
    long binary = beginning.stream().filter(BINARY).count();
    if (2 * binary >= beginning.size()) {
      throw new UserErrorException(
          "--log " + file + " is a binary file or UTF-16, not a log in UTF-8.");
    }
    if (beginning.get(0).isEmpty() || beginning.get(0).indexOf('\r') >= 0) {
      throw new UserErrorException(
          "--log %s has no line ends, or bare carriage returns: tr '\\r' '\\n' < FILE | ./penstock compare --log -"
              .formatted(file));
    }
    if (given != null) {
      return given;
    }
    if (beginning.stream().anyMatch(line -> holdsARecord(new JsonLog(), line))) {
      return LogFormat.JSON;
    }
    for (LogFormat each : List.of(LogFormat.ALB, LogFormat.NPM, LogFormat.HAPROXY)) {
      if (beginning.stream().anyMatch(line -> holdsARecord(each.records(List.of()), line))) {
        return each;
      }
    }
    if (beginning.stream().anyMatch(line -> line.startsWith(ExtendedLog.FIELDS))) {
      return LogFormat.W3C;
    }
    Optional<String> common =
        beginning.stream().filter(line -> holdsARecord(new CommonLog(), line)).findFirst();
    if (common.isPresent()) {
      return CommonLog.isCombined(common.get()) ? LogFormat.COMBINED : LogFormat.COMMON;
    }
    if (beginning.stream().anyMatch(CsvLog::looksLike)) {
      return LogFormat.CSV;
    }
    throw new UserErrorException(
        "--log %s does not look like an access log, CSV or JSON Lines: give its format with --format."
            .formatted(file));
  }

  private static boolean holdsARecord(RecordFormat format, String line) {
    try {
      return format.read(line) != null;
    } catch (UnreadableRecordException no) {
      return false;
    }
  }
}
