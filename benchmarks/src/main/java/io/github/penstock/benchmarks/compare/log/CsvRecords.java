package io.github.penstock.benchmarks.compare.log;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Splits records of CSV, one at a time, with one parser for all: a new one for each record would
 * fill a new buffer each time. Not safe for use by several threads.
 */
final class CsvRecords {
  private final CSVFormat format;
  private OneRecord record = new OneRecord();
  private @Nullable Iterator<CSVRecord> parsed;

  CsvRecords(CSVFormat format) {
    this.format = format;
  }

  /** The fields of the record in this text, which may have several lines. */
  List<String> values(String text) throws Unreadable {
    try {
      if (parsed == null) {
        record = new OneRecord();
        parsed = CSVParser.parse(record, format).iterator();
      }
      record.hold(text);
      return parsed.next().toList();
    } catch (IOException
        | UncheckedIOException
        | IllegalStateException
        | NoSuchElementException wrong) {
      parsed = null;
      throw new Unreadable("not CSV: a quote in the wrong place");
    }
  }

  /** Gives a record and its line end, and then nothing until there is another. */
  private static final class OneRecord extends Reader {
    private String text = "";
    private int at;

    void hold(String line) {
      text = line + "\n";
      at = 0;
    }

    @Override
    public int read(char[] buffer, int from, int length) {
      int number = Math.min(length, text.length() - at);
      if (number == 0) {
        return -1;
      }
      text.getChars(at, at + number, buffer, from);
      at += number;
      return number;
    }

    @Override
    public void close() {
      text = "";
    }
  }
}
