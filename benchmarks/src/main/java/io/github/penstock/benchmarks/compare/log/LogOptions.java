package io.github.penstock.benchmarks.compare.log;

import io.github.penstock.benchmarks.Complaint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Which logs are read, and how. */
public final class LogOptions {
  /** The file that is standard input. */
  static final String STDIN = "-";

  private static final Set<String> STDIN_PATHS = Set.of("/dev/stdin", "/dev/fd/0");
  private static final int NAMED = 5;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = {
        "plays the requests of a log, plain or gzip; - for standard input; several are merged by time."
      })
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "of the log: common, combined, csv or json (JSON Lines); found out if not given.")
  private @Nullable LogFormat format;

  @Option(
      names = "--subject",
      paramLabel = "WHO",
      defaultValue = "address",
      converter = SubjectConverter.class,
      description = {
        "who is limited: address, user, referer, user-agent, path:N (its first N segments), field:NAME (of CSV or"
            + " JSON; NAME.NAME inside), all (everybody together), or several joined by + (default"
            + " ${DEFAULT-VALUE})."
      })
  private SubjectRule subject = new SubjectRule("address");

  @Option(
      names = "--cost",
      paramLabel = "UNITS",
      defaultValue = "1",
      converter = CostConverter.class,
      description = {
        "what a request costs: a number, bytes/DIVISOR (of the response) or field:NAME/DIVISOR, rounded up, at least 1"
            + " (default ${DEFAULT-VALUE})."
      })
  private CostRule cost = new CostRule("1");

  @Option(
      names = "--time",
      paramLabel = "NAME",
      description = "the field of CSV or JSON that holds the time; usual names are found.")
  private @Nullable String time;

  @Option(
      names = "--time-format",
      paramLabel = "PATTERN",
      description = {
        "how that time is written, such as 'dd.MM.yyyy HH:mm:ss'; ISO 8601, seconds, ms, µs and ns since 1970 and"
            + " the access logs' own are found."
      })
  private @Nullable String timeFormat;

  @Option(
      names = "--columns",
      paramLabel = "NAMES",
      description = "the columns of CSV without a header, separated by commas.")
  private @Nullable String columns;

  /** Whether a log is to be read. */
  public boolean given() {
    return !files.isEmpty();
  }

  /** The files, in order. */
  public List<String> files() {
    return List.copyOf(files);
  }

  /** The files as a reader calls them, the first ones of many. */
  public String names() {
    String names =
        files.stream().limit(NAMED).map(LogOptions::name).collect(Collectors.joining(", "));
    return files.size() > NAMED ? names + " and " + (files.size() - NAMED) + " more" : names;
  }

  /** The first of the files that cannot be read a second time; empty if all can. */
  public Optional<String> readOnce() {
    return files.stream().filter(LogOptions::readOnce).findFirst();
  }

  /* Standard input, or a pipe that has a name. */
  static boolean readOnce(String file) {
    return file.equals(STDIN) || !Files.isRegularFile(Path.of(file));
  }

  static String name(String file) {
    return file.equals(STDIN) ? "standard input" : file;
  }

  /** Throws a {@link Complaint} if the options contradict each other or a file is none. */
  public LogOptions checked() {
    boolean needsFields = time != null || timeFormat != null || columns != null;
    require(!needsFields || given(), "--time, --time-format and --columns need a --log.");
    require(
        format == null || !format.isCommon() || !needsFields,
        "--time, --time-format and --columns are for CSV and JSON, not for --format "
            + format
            + ".");
    require(
        columns == null || format == null || format == LogFormat.CSV,
        "--columns is for CSV, not for --format " + format + ".");
    pattern();
    files.replaceAll(file -> STDIN_PATHS.contains(file) ? STDIN : file);
    files.stream().filter(file -> !file.equals(STDIN)).forEach(LogOptions::checkFile);
    Set<Object> given = new HashSet<>();
    files.forEach(
        file ->
            require(
                given.add(identity(file)),
                "--log " + file + " is given twice: each is played once."));
    return this;
  }

  /* What two spellings of a file have in common, and its links. */
  private static Object identity(String file) {
    try {
      Object key =
          file.equals(STDIN)
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

  private void pattern() {
    if (timeFormat == null) {
      return;
    }
    try {
      DateTimeFormatter.ofPattern(timeFormat, Locale.ENGLISH);
    } catch (IllegalArgumentException wrong) {
      throw new Complaint(
          "--time-format is not a pattern of DateTimeFormatter: " + wrong.getMessage());
    }
  }

  private static void require(boolean condition, String sentence) {
    if (!condition) {
      throw new Complaint(sentence);
    }
  }

  @Nullable LogFormat format() {
    return columns != null ? LogFormat.CSV : format;
  }

  /** Who is limited. */
  public SubjectRule subject() {
    return subject;
  }

  /** What a request costs. */
  public CostRule cost() {
    return cost;
  }

  @Nullable String time() {
    return time;
  }

  TimeText times() {
    return new TimeText(timeFormat);
  }

  List<String> columns() {
    return columns == null
        ? List.of()
        : Arrays.stream(columns.split(",")).map(String::strip).toList();
  }

  /** As picocli wants it. */
  static final class SubjectConverter implements ITypeConverter<SubjectRule> {
    @Override
    public SubjectRule convert(String value) {
      return Converted.of(value, SubjectRule::new);
    }
  }

  /** As picocli wants it. */
  static final class CostConverter implements ITypeConverter<CostRule> {
    @Override
    public CostRule convert(String value) {
      return Converted.of(value, CostRule::new);
    }
  }
}
