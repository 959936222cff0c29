package io.github.penstock.benchmarks.compare.log;

import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.compare.Request;
import io.github.penstock.benchmarks.compare.log.SubjectRule.Role;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;

/** Reads one log after the other and hands on its requests. Not safe for use by several threads. */
final class LogReader {
  private static final int LOOKED_AT = 20;
  private static final int HOPELESS = 10_000;
  private static final int LONGEST_RECORD = 100;
  private final LogOptions options;
  private final LogCount count;
  private final Consumer<Request> requests;
  private final TimeText times;
  private Names names = new Names();

  LogReader(LogOptions options, LogCount count, Consumer<Request> requests) {
    this.options = options;
    this.count = count;
    this.requests = requests;
    this.times = options.times();
  }

  /**
   * Reads a log to its end.
   *
   * @param read hears how many bytes of the file were read
   */
  void read(String file, LongConsumer read) {
    names = new Names();
    String name = LogOptions.name(file);
    try (InputStream in = LogInput.open(file, read)) {
      read(name, new LogLines(in));
    } catch (EOFException | ZipException broken) {
      count.cutShort(name, "its gzip is broken or cut off");
    } catch (IOException failure) {
      throw new Complaint("--log " + file + " cannot be read: " + failure.getMessage(), failure);
    }
  }

  private void read(String file, LogLines lines) throws IOException {
    Deque<Line> ahead = new ArrayDeque<>();
    while (ahead.size() < LOOKED_AT && pull(lines, ahead)) {
      if (ahead.element().isBlank()) {
        ahead.remove();
      }
    }
    if (ahead.isEmpty()) {
      return;
    }
    List<String> beginning = ahead.stream().map(Line::text).toList();
    LogFormat known = FormatGuess.of(file, beginning, options.format());
    count.format(file, known);
    RecordFormat format = records(known);
    while (!ahead.isEmpty() || pull(lines, ahead)) {
      record(file, format, lines, ahead);
    }
  }

  private static boolean pull(LogLines lines, Deque<Line> ahead) throws IOException {
    String text = lines.next();
    if (text != null) {
      ahead.add(new Line(lines.number(), text, lines.tooLong()));
    }
    return text != null;
  }

  /* A record that is still open after many lines has a stray quote: only its first line is given up. */
  private void record(String file, RecordFormat format, LogLines lines, Deque<Line> ahead)
      throws IOException {
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
    use(file, first.number, format, text);
  }

  private void use(String file, long line, RecordFormat format, String text) {
    try {
      Fields fields = format.read(text);
      if (fields != null) {
        use(fields);
      }
    } catch (Unreadable reason) {
      count.unreadable(file, line, reason.reason());
      giveUp(file, reason);
    }
  }

  private void giveUp(String file, Unreadable reason) {
    if (count.requests() == 0 && count.unreadable() == HOPELESS) {
      throw new Complaint(
          "none of the first "
              + HOPELESS
              + " lines of "
              + file
              + " can be read: "
              + reason.reason()
              + ".");
    }
  }

  private void use(Fields fields) throws Unreadable {
    String time =
        options.time() == null
            ? names.value(fields, Role.TIME)
            : names.field(fields, options.time());
    if (time == null) {
      throw new Unreadable("no time");
    }
    long timeUs = times.micros(time);
    long cost = options.cost().of(fields, names);
    String subject = options.subject().of(fields, names);
    if (subject == null) {
      count.addWithoutSubject();
      return;
    }
    if (!wellFormed(subject)) {
      throw new Unreadable("the subject has half of a surrogate pair");
    }
    count.request(timeUs);
    requests.accept(new Request(timeUs, subject, cost));
  }

  private static boolean wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private RecordFormat records(LogFormat format) {
    return switch (format) {
      case COMMON, COMBINED -> new CommonLog();
      case CSV -> new CsvLog(options.columns());
      case JSON -> new JsonLog();
    };
  }

  private record Line(long number, String text, boolean tooLong) {
    boolean isBlank() {
      return !tooLong && text.isBlank();
    }
  }
}
