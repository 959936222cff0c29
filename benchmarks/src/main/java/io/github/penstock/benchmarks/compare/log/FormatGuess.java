package io.github.penstock.benchmarks.compare.log;

import io.github.penstock.benchmarks.Complaint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out from its first lines how a log is written. */
final class FormatGuess {
  private FormatGuess() {}

  /**
   * The format.
   *
   * @param beginning the first lines
   * @param given what the user says; null if nothing
   */
  static LogFormat of(String file, List<String> beginning, @Nullable LogFormat given) {
    long binary = beginning.stream().filter(line -> line.indexOf('\0') >= 0).count();
    if (2 * binary > beginning.size()) {
      throw new Complaint("--log " + file + " is a binary file or UTF-16, not a log in UTF-8.");
    }
    if (given != null) {
      return given;
    }
    if (beginning.stream().anyMatch(FormatGuess::isJson)) {
      return LogFormat.JSON;
    }
    Optional<String> common = beginning.stream().filter(FormatGuess::isCommon).findFirst();
    if (common.isPresent()) {
      return CommonLog.isCombined(common.get()) ? LogFormat.COMBINED : LogFormat.COMMON;
    }
    if (beginning.stream().anyMatch(CsvLog::looksLike)) {
      return LogFormat.CSV;
    }
    throw new Complaint(
        "--log "
            + file
            + " is not known as an access log, CSV or JSON Lines: give its format with --format.");
  }

  private static boolean isJson(String line) {
    return line.stripLeading().startsWith("{") && holdsARecord(new JsonLog(), line);
  }

  private static boolean isCommon(String line) {
    return holdsARecord(new CommonLog(), line);
  }

  private static boolean holdsARecord(RecordFormat format, String line) {
    try {
      return format.read(line) != null;
    } catch (Unreadable no) {
      return false;
    }
  }
}
