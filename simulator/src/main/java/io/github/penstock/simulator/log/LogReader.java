package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.record.CommonLog;
import io.github.penstock.simulator.record.CsvLog;
import io.github.penstock.simulator.record.FieldNames;
import io.github.penstock.simulator.record.FormatGuess;
import io.github.penstock.simulator.record.JsonLog;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.RecordFields;
import io.github.penstock.simulator.record.RecordFormat;
import io.github.penstock.simulator.record.SubjectRule.Role;
import io.github.penstock.simulator.record.TimeText;
import io.github.penstock.simulator.record.UnreadableRecordException;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads a log, request by request. Not safe for use by several threads. */
final class LogReader implements AutoCloseable {
  private static final int LOOKED_AT = 20;
  private static final int HOPELESS = 10_000;
  private static final int LONGEST_RECORD = 100;
  private final String file;
  private final LogSettings settings;
  private final LogCount count;
  private final TimeText times;
  private final FieldNames names = new FieldNames();
  private final Deque<Line> ahead = new ArrayDeque<>();
  private final InputStream in;
  private final LogLines lines;
  private @Nullable RecordFormat format;
  private @Nullable TrafficRequest found;

  /**
   * Opens a log.
   *
   * @param read hears how many bytes more of the file were read
   */
  public LogReader(String given, LogSettings settings, LogCount count, LongConsumer read) {
    this.file = LogSettings.name(given);
    this.settings = settings;
    this.count = count;
    this.times = new TimeText(settings.timeFormat(), settings.zone());
    try {
      in = LogInput.open(given, read);
      lines = new LogLines(in);
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  /** The next request in the log's own order; null at its end. */
  @Nullable TrafficRequest next() {
    found = null;
    while (found == null && step()) {}
    return found;
  }

  /* Reads the next record, which may hold no request; false at the end. */
  private boolean step() {
    try {
      if (format == null) {
        format = begin();
      }
      if (format == null || ahead.isEmpty() && !pull(lines, ahead)) {
        return false;
      }
      record(format);
      return true;
    } catch (EOFException | ZipException broken) {
      count.cutShort(file, "its gzip is broken or cut off");
      return false;
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private UserErrorException unreadable(IOException failure) {
    return new UserErrorException(
        "--log " + file + " cannot be read: " + failure.getMessage(), failure);
  }

  /* Null if there is nothing but blank lines. */
  private @Nullable RecordFormat begin() throws IOException {
    while (ahead.size() < LOOKED_AT && pull(lines, ahead)) {
      if (ahead.element().isBlank()) {
        ahead.remove();
      }
    }
    if (ahead.isEmpty()) {
      return null;
    }
    List<String> beginning = ahead.stream().map(Line::text).toList();
    LogFormat known = FormatGuess.of(file, beginning, settings.format());
    count.format(file, known.title());
    return records(known);
  }

  private static boolean pull(LogLines lines, Deque<Line> ahead) throws IOException {
    String text = lines.next();
    if (text != null) {
      ahead.add(new Line(lines.number(), text, lines.tooLong()));
    }
    return text != null;
  }

  /* A record that is still open after many lines has a stray quote: only its first line is given up. */
  private void record(RecordFormat format) throws IOException {
    Line first = ahead.remove();
    if (first.tooLong) {
      count.unreadable(file, first.number, "longer than " + LogLines.LONGEST + " bytes");
      return;
    }
    String text = first.text;
    List<Line> taken = new ArrayList<>();
    while (format.isOpen(text)
        && taken.size() < LONGEST_RECORD
        && text.length() < LogLines.LONGEST
        && (!ahead.isEmpty() || pull(lines, ahead))) {
      taken.add(ahead.remove());
      text = text + "\n" + taken.get(taken.size() - 1).text;
    }
    if (format.isOpen(text)) {
      for (int i = taken.size() - 1; i >= 0; i--) {
        ahead.addFirst(taken.get(i));
      }
      count.unreadable(file, first.number, "a quote is never closed");
      return;
    }
    use(first.number, format, text);
  }

  private void use(long line, RecordFormat format, String text) {
    try {
      RecordFields fields = format.read(text);
      if (fields != null) {
        use(fields);
      }
    } catch (UnreadableRecordException reason) {
      count.unreadable(file, line, reason.reason());
      giveUp(reason);
    }
  }

  private void giveUp(UnreadableRecordException reason) {
    if (count.of(Kind.REQUESTS) == 0 && count.of(Kind.UNREADABLE) == HOPELESS) {
      throw new UserErrorException(
          ("none of the first %d lines of %s can be read: %s. Check --format, --columns, --time, --time-format, --subject and --cost.")
              .formatted(HOPELESS, file, reason.reason()));
    }
  }

  private void use(RecordFields fields) throws UnreadableRecordException {
    String time =
        settings.time() == null
            ? names.value(fields, Role.TIME)
            : names.field(fields, settings.time());
    if (time == null) {
      throw new UnreadableRecordException("no time");
    }
    long timeUs = times.micros(time);
    long cost = settings.cost().of(fields, names);
    String subject = settings.subject().of(fields, names);
    if (subject == null) {
      count.add(Kind.WITHOUT_SUBJECT);
      return;
    }
    if (subject.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw new UnreadableRecordException("the subject has half of a surrogate pair");
    }
    count.request(timeUs);
    if (times.withoutZone()) {
      count.add(Kind.WITHOUT_ZONE);
    }
    if (times.twice()) {
      count.add(Kind.IN_REPEATED_HOUR);
    }
    if (cost == 0) {
      count.add(Kind.WITHOUT_COST);
    }
    found = new TrafficRequest(timeUs, subject, Math.max(1, cost));
  }

  private RecordFormat records(LogFormat format) {
    return switch (format) {
      case COMMON, COMBINED -> new CommonLog();
      case CSV -> new CsvLog(settings.columns());
      case JSON -> new JsonLog();
    };
  }

  private record Line(long number, String text, boolean tooLong) {
    boolean isBlank() {
      return !tooLong && text.isBlank();
    }
  }
}
