package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogRecords.RawRecord;
import io.github.penstock.simulator.record.RecordFields;
import io.github.penstock.simulator.record.RecordFormat;
import io.github.penstock.simulator.record.UnreadableRecordException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;

/** Reads logs, record by record. */
interface LogReader {
  /** Begins a file, which is not empty. Returns its format. */
  RecordFormat begin(String file, List<String> beginning);

  /** A record, neither blank nor a header. */
  void read(RecordFields fields) throws UnreadableRecordException;

  void unreadable(String file, long line, String reason);

  /** The file ends too early. */
  void cutShort(String file, String reason);

  /**
   * Reads all of a file.
   *
   * @param given the file, or {@value LogSettings#STDIN}
   * @param bytes hears how many more bytes of it were read
   */
  default void readAll(String given, LongConsumer bytes) {
    String file = LogSettings.name(given);
    try (InputStream in = LogInput.open(given, bytes)) {
      readAll(file, new LogRecords(in));
    } catch (EOFException | ZipException broken) {
      cutShort(file, "its gzip is broken or cut off");
    } catch (IOException failure) {
      throw new UserErrorException(
          "--log " + file + " cannot be read: " + failure.getMessage(), failure);
    }
  }

  private void readAll(String file, LogRecords records) throws IOException {
    List<String> beginning = records.beginning();
    if (beginning.isEmpty()) {
      return;
    }
    RecordFormat format = begin(file, beginning);
    for (RawRecord raw = records.next(format); raw != null; raw = records.next(format)) {
      try {
        if (raw.unreadable() != null) {
          throw new UnreadableRecordException(raw.unreadable());
        }
        RecordFields fields = format.read(raw.text());
        if (fields != null) {
          read(fields);
        }
      } catch (UnreadableRecordException reason) {
        unreadable(file, raw.line(), reason.reason());
      }
    }
  }
}
