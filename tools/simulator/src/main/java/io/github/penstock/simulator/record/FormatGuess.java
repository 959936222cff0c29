package io.github.penstock.simulator.record;

import io.github.penstock.report.console.UserErrorException;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out from its first lines how a log is written. */
public final class FormatGuess {
  private static final Predicate<String> BINARY =
      Pattern.compile("[\\x00-\\x08\ufffd]").asPredicate();

  private static final Pattern UNQUOTED = Pattern.compile("[\\[\\]\"]");
  private static final Pattern SMALL_NUMBER = Pattern.compile("\\d{1,9}(\\.\\d*)?");
  /* An array of objects, or one object over several lines. */
  private static final Pattern SPREAD_JSON = Pattern.compile("\\s*(\\[\\s*(\\{.*)?|\\{\\s*)");
  /* Formats whose lines need no others, the strictest first. */
  private static final List<LogFormat> EACH_LINE =
      List.of(
          LogFormat.JSON,
          LogFormat.ALB,
          LogFormat.NPM,
          LogFormat.HAPROXY,
          LogFormat.ENVOY,
          LogFormat.HEROKU,
          LogFormat.UVICORN,
          LogFormat.COMMON);

  private FormatGuess() {}

  /**
   * The format.
   *
   * @param beginning the first lines
   * @param given the user's settings; null if none
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
    if (beginning.stream().anyMatch(line -> line.startsWith(ExtendedLog.FIELDS))) {
      return LogFormat.W3C;
    }
    List<String> lines = beginning.stream().filter(line -> !line.isBlank()).toList();
    List<LogFormat> each = lines.stream().map(FormatGuess::of).filter(Objects::nonNull).toList();
    boolean spread = SPREAD_JSON.matcher(lines.get(0)).matches();
    if (2 * each.size() < lines.size() && !spread && CsvLog.fits(lines)) {
      return LogFormat.CSV;
    }
    if (!each.isEmpty()) {
      return mostFrequent(each, lines);
    }
    throw new UserErrorException(
        "--log %s does not look like an access log, CSV or JSON Lines: give its format with --pattern, or make CSV or JSON Lines of it, such as %s"
            .formatted(file, command(lines)));
  }

  /* The first line of Common Log Format says whether it is Combined. */
  private static LogFormat mostFrequent(List<LogFormat> formats, List<String> lines) {
    LogFormat most =
        Collections.max(
            formats, Comparator.comparingInt(each -> Collections.frequency(formats, each)));
    boolean combined =
        most == LogFormat.COMMON
            && lines.stream()
                .filter(line -> of(line) == LogFormat.COMMON)
                .limit(1)
                .allMatch(CommonLog::isCombined);
    return combined ? LogFormat.COMBINED : most;
  }

  /** The format of one line, by itself; null if it is of none. */
  private static @Nullable LogFormat of(String line) {
    for (LogFormat each : EACH_LINE) {
      if (record(each.records(List.of()), line) != null) {
        return each;
      }
    }
    return null;
  }

  /** The record in a line of any format that needs no other line; null if there is none. */
  static @Nullable RecordFields record(String line) {
    LogFormat format = of(line);
    return format == null ? null : record(format.records(List.of()), line);
  }

  private static @Nullable RecordFields record(RecordFormat format, String line) {
    try {
      return format.read(line);
    } catch (UnreadableRecordException no) {
      return null;
    }
  }

  /** Reads lines of a format, and those that are not of it in their own. */
  public static RecordFormat mixed(LogFormat known, List<String> columns) {
    RecordFormat usual = known.records(columns);
    boolean alone = EACH_LINE.contains(known) || known == LogFormat.COMBINED;
    return alone ? new MixedLog(usual) : usual;
  }

  private record MixedLog(RecordFormat usual) implements RecordFormat {
    @Override
    public @Nullable RecordFields read(String line) throws UnreadableRecordException {
      try {
        return usual.read(line);
      } catch (UnreadableRecordException reason) {
        RecordFields other = record(line);
        if (other == null) {
          throw reason;
        }
        return other;
      }
    }
  }

  /*
   * A line of jq or awk that produces a recognised format, from the fields that appear to be the
   * time and the client.
   */
  private static String command(List<String> lines) {
    if (SPREAD_JSON.matcher(lines.get(0)).matches()) {
      return "jq -c 'if type == \"array\" then .[] else . end' FILE | ./penstock compare --log -";
    }
    String[] words =
        UNQUOTED.matcher(lines.get(lines.size() / 2)).replaceAll("").strip().split("\\s+");
    String time = "$1";
    String client = "$2";
    for (int i = words.length - 1; i >= 0; i--) {
      boolean two = i + 1 < words.length && isTime(words[i] + " " + words[i + 1]);
      time =
          two ? "$%d \" \" $%d".formatted(i + 1, i + 2) : isTime(words[i]) ? "$" + (i + 1) : time;
      client = AddressText.isAddress(words[i]) ? "$" + (i + 1) : client;
    }
    return "awk 'BEGIN {print \"time,client\"} {gsub(/[][\"]/, \"\"); print %s \",\" %s}' FILE | ./penstock compare --log -"
        .formatted(time, client);
  }

  private static boolean isTime(String text) {
    try {
      boolean small = SMALL_NUMBER.matcher(text).matches();
      return !small && new TimeText(null, ZoneOffset.UTC).micros(text) > 0;
    } catch (UnreadableRecordException no) {
      return false;
    }
  }
}
