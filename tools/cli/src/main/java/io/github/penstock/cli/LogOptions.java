package io.github.penstock.cli;

import static io.github.penstock.report.console.UserErrorException.require;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogSettings;
import io.github.penstock.simulator.record.CostRule;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.PatternText;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.record.TimeText;
import io.github.penstock.simulator.traffic.SubjectShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneId;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which logs are read, and how. */
final class LogOptions {
  private static final Set<String> STDIN_PATHS = Set.of("/dev/stdin", "/dev/fd/0");
  private static final List<String> NEED_A_LOG =
      List.of(
          "--format",
          "--pattern",
          "--subject",
          "--cost",
          "--time",
          "--time-format",
          "--time-zone",
          "--columns",
          "--where",
          "--sample",
          "--traffic-csv");

  @Option(
      names = "--log",
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "plays the requests of a log, or of several, plain or gzip; - for standard input. They"
              + " are sorted by time.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "of the log: ${COMPLETION-CANDIDATES} (json is JSON Lines, npm Nginx Proxy Manager, w3c"
              + " IIS and CloudFront, pattern that of --pattern); detected if not given.")
  private @Nullable LogFormat format;

  @Option(
      names = "--pattern",
      paramLabel = "TEXT",
      description =
          "the nginx log_format or Apache LogFormat that wrote the log, as it stands in the"
              + " configuration.")
  private @Nullable String pattern;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--subject",
      paramLabel = "WHO",
      defaultValue = "address",
      description =
          "who is limited: address (address/64 takes the first 64 bits of IPv6), forwarded (the"
              + " client that a proxy names; where it names none, the address), user, referer,"
              + " user-agent, path:N (its first N segments), field:NAME (of CSV or JSON; NAME.NAME"
              + " inside; an address in it as address, also field:NAME/64), all (everybody"
              + " together), or several joined by + (default ${DEFAULT-VALUE}).")
  private SubjectRule subject;

  @Option(
      names = "--cost",
      paramLabel = "UNITS",
      defaultValue = "1",
      description =
          "what a request costs: a number, bytes/DIVISOR (of the response) field:NAME/DIVISOR or"
              + " field:A+field:B/DIVISOR, rounded up, at least 1 (default ${DEFAULT-VALUE}).")
  private CostRule cost;

  @Option(
      names = "--time",
      paramLabel = "NAME",
      description = "the field of CSV or JSON that holds the time; the usual names are recognised.")
  private @Nullable String time;

  @Option(
      names = "--time-format",
      paramLabel = "PATTERN",
      description =
          "how that time is written, such as 'dd.MM.yyyy HH:mm:ss'; ISO 8601, seconds, ms, µs and"
              + " ns since 1970 and the access logs' own are recognised. Numbers that count from 0"
              + " are seconds, or as --time-format ms, us or ns says.")
  private @Nullable String timeFormat;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description =
          "the zone of times that name none, such as Europe/Berlin, and of the times that are"
              + " shown; UTC if not given.")
  private @Nullable ZoneId timeZone;

  @Option(
      names = "--columns",
      paramLabel = "NAMES",
      description = "the columns of CSV without a header, separated by commas.")
  private @Nullable String columns;

  @Option(
      names = "--where",
      paramLabel = "FIELD=VALUE",
      description =
          "keeps only requests with this status, method, host or path (its beginning), or with"
              + " another one, such as status!=429; may be repeated, all must hold.")
  private List<RowFilter> where = new ArrayList<>();

  @Option(
      names = "--sample",
      paramLabel = "1/N",
      description =
          "keeps only the requests of one in N subjects, chosen by a hash of their names: exact for"
              + " these, and N times as fast. Counts are given for the whole log, as N times the"
              + " sample's.")
  private SubjectShare sample = SubjectShare.ALL;

  /**
   * Throws a {@link UserErrorException} if the options contradict each other or a file cannot be
   * read.
   */
  LogSettings settings() {
    boolean needsFields = time != null || timeFormat != null || columns != null;
    for (String option : NEED_A_LOG) {
      boolean given = spec.commandLine().getParseResult().hasMatchedOption(option);
      require(!given || !files.isEmpty(), option + " needs a log: give one with --log.");
    }
    require(
        format == null || !format.isFixed() || !needsFields,
        "--time, --time-format and --columns are for CSV and JSON, not for --format "
            + format
            + ".");
    require(
        columns == null || format == null || format == LogFormat.CSV,
        "--columns is for CSV, not for --format " + format + ".");
    checkPattern();
    checkTimeFormat();
    files.replaceAll(file -> STDIN_PATHS.contains(file) ? LogSettings.STDIN : file);
    files.stream().filter(file -> !file.equals(LogSettings.STDIN)).forEach(LogOptions::checkFile);
    Set<Object> given = new HashSet<>();
    files.forEach(
        file ->
            require(
                given.add(identity(file)),
                "--log " + file + " is given twice: each is played once."));
    List<String> names =
        columns == null ? List.of() : Arrays.stream(columns.split(",")).map(String::strip).toList();
    LogFormat known = columns == null ? format : LogFormat.CSV;
    if (pattern != null) {
      names = List.of(pattern);
      known = LogFormat.PATTERN;
    }
    return new LogSettings(
        List.copyOf(files),
        known,
        subject,
        cost,
        time,
        timeFormat,
        timeZone,
        names,
        List.copyOf(where),
        sample);
  }

  /* The file itself, for two spellings of it and for its links. */
  private static Object identity(String file) {
    try {
      Object key =
          file.equals(LogSettings.STDIN)
              ? null
              : Files.readAttributes(Path.of(file), BasicFileAttributes.class).fileKey();
      return key == null ? file : key;
    } catch (IOException unknown) {
      return file;
    }
  }

  private static void checkFile(String file) {
    require(!file.isBlank(), "--log must name a file, or - for standard input.");
    Path path = Path.of(file);
    require(Files.exists(path), "--log " + file + ": there is no such file.");
    require(!Files.isDirectory(path), "--log " + file + " is a directory: give its files.");
    require(Files.isReadable(path), "--log " + file + " cannot be read: check its permissions.");
  }

  private void checkPattern() {
    require(
        pattern != null || format != LogFormat.PATTERN, "--format pattern: give it by --pattern.");
    if (pattern == null) {
      return;
    }
    require(
        columns == null && (format == null || format == LogFormat.PATTERN),
        "--pattern says how the log is written: leave out --format and --columns.");
    try {
      PatternText.parse(pattern);
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException("--pattern " + wrong.getMessage(), wrong);
    }
  }

  private void checkTimeFormat() {
    if (timeFormat == null || TimeText.isUnit(timeFormat)) {
      return;
    }
    try {
      new DateTimeFormatterBuilder().appendPattern(timeFormat);
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException(
          "--time-format is not a pattern of DateTimeFormatter: " + wrong.getMessage());
    }
  }
}
