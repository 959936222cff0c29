package io.github.penstock.simulator.log;

import io.github.penstock.simulator.record.RecordFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of a log: its lines, of which a quote that is open joins several. Not safe for use by
 * several threads.
 */
final class LogRecords {
  private static final int LOOKED_AT = 20;
  private static final int LONGEST_RECORD = 100;
  private static final String TOO_LONG = "longer than " + LogLines.LONGEST + " bytes";
  private final LogLines lines;
  private final Deque<RawRecord> ahead = new ArrayDeque<>();

  /**
   * The unchanged text of a record in a log.
   *
   * @param line its first one, from 1
   * @param text all of it
   * @param unreadable why nothing can be made of it; null if something may
   */
  record RawRecord(long line, String text, @Nullable String unreadable) {}

  LogRecords(InputStream in) {
    lines = new LogLines(in);
  }

  /** The first lines from the first that is not blank, which are read again; none at the end. */
  List<String> beginning() throws IOException {
    while (ahead.size() < LOOKED_AT && pull()) {
      if (ahead.element().unreadable == null && ahead.element().text.isBlank()) {
        ahead.remove();
      }
    }
    return ahead.stream().map(RawRecord::text).toList();
  }

  /**
   * The next record; null at the end. Of one that is still open after many lines, as of a stray
   * quote, only the first line is given up.
   */
  @Nullable RawRecord next(RecordFormat format) throws IOException {
    if (ahead.isEmpty() && !pull()) {
      return null;
    }
    RawRecord first = ahead.remove();
    String text = first.text;
    List<RawRecord> taken = new ArrayList<>();
    while (first.unreadable == null
        && format.isOpen(text)
        && taken.size() < LONGEST_RECORD
        && text.length() < LogLines.LONGEST
        && (!ahead.isEmpty() || pull())) {
      taken.add(ahead.remove());
      text = text + "\n" + taken.get(taken.size() - 1).text;
    }
    if (first.unreadable == null && format.isOpen(text)) {
      for (int i = taken.size() - 1; i >= 0; i--) {
        ahead.addFirst(taken.get(i));
      }
      return new RawRecord(first.line, first.text, "a quote is never closed");
    }
    return new RawRecord(first.line, text, first.unreadable);
  }

  private boolean pull() throws IOException {
    String text = lines.next();
    if (text != null) {
      ahead.add(new RawRecord(lines.number(), text, lines.tooLong() ? TOO_LONG : null));
    }
    return text != null;
  }
}
