package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.log.LogRecords.RawRecord;
import io.github.penstock.simulator.log.RecordParser.Batch;
import io.github.penstock.simulator.log.RecordParser.Memory;
import io.github.penstock.simulator.record.FormatGuess;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.RecordFormat;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log, request by request. One thread splits it into records and counts them, in their
 * order; others parse them, some batches ahead. A batch that was parsed after other records than
 * those that came before it is parsed again. Not safe for use by several threads.
 */
final class LogReader implements AutoCloseable {
  private static final int HOPELESS = 10_000;
  private static final int BATCH = 500;
  private static final int BATCHES_AHEAD = 16;
  private final String file;
  private final LogSettings settings;
  private final LogCount count;
  private final Executor threads;
  private final Queue<CompletableFuture<Batch>> parsing = new ArrayDeque<>();
  private final InputStream in;
  private final LogRecords records;
  private Iterator<ParsedRecord> parsed = Collections.emptyIterator();
  private Memory memory = Memory.NOTHING;
  private @Nullable RecordFormat format;
  private @Nullable RecordParser parser;
  private boolean ended;

  /**
   * Opens a log.
   *
   * @param threads parse records
   * @param read hears how many bytes more of the file were read
   */
  public LogReader(
      String given, LogSettings settings, LogCount count, Executor threads, LongConsumer read) {
    this.file = LogSettings.name(given);
    this.settings = settings;
    this.count = count;
    this.threads = threads;
    try {
      in = LogInput.open(given, read);
      records = new LogRecords(in);
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  /** The next request in the log's own order; null at its end. */
  @Nullable TrafficRequest next() {
    while (true) {
      while (parsed.hasNext()) {
        TrafficRequest request = counted(parsed.next());
        if (request != null) {
          return request;
        }
      }
      Batch batch = batch();
      if (batch == null) {
        return null;
      }
      memory = batch.after();
      parsed = batch.records().iterator();
    }
  }

  /* The next batch, parsed after its predecessors; null at the end. */
  private @Nullable Batch batch() {
    while (!ended && parsing.size() < BATCHES_AHEAD) {
      List<RawRecord> raw = split();
      RecordParser parses = parser;
      if (raw.isEmpty() || parses == null) {
        ended = true;
      } else if (!parses.isSettled()) {
        return parses.parse(raw, memory);
      } else {
        Memory guess = memory;
        parsing.add(CompletableFuture.supplyAsync(() -> parses.parse(raw, guess), threads));
      }
    }
    CompletableFuture<Batch> first = parsing.poll();
    if (first == null || parser == null) {
      return null;
    }
    Batch batch = await(first);
    return batch.holdsAfter(memory) ? batch : parser.parse(batch.raw(), memory);
  }

  private static Batch await(CompletableFuture<Batch> parsing) {
    try {
      return parsing.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException failure ? failure : failed;
    }
  }

  /* The next records; none at the end. The first ones by themselves: much is found out from them. */
  private List<RawRecord> split() {
    List<RawRecord> raw = new ArrayList<>();
    try {
      if (format == null) {
        format = begin();
        parser = format == null ? null : new RecordParser(settings, format);
      }
      int most = parser == null || memory.equals(Memory.NOTHING) ? 1 : BATCH;
      while (format != null && raw.size() < most) {
        RawRecord next = records.next(format);
        if (next == null) {
          break;
        }
        raw.add(next);
      }
    } catch (EOFException | ZipException broken) {
      count.cutShort(file, "its gzip is broken or cut off");
      ended = true;
    } catch (IOException failure) {
      throw unreadable(failure);
    }
    return raw;
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
    List<String> beginning = records.beginning();
    if (beginning.isEmpty()) {
      return null;
    }
    LogFormat known = FormatGuess.of(file, beginning, settings.format());
    count.format(file, known.title());
    return settings.format() == null
        ? FormatGuess.mixed(known, settings.columns())
        : known.records(settings.columns());
  }

  /* Its request; null if it has none. */
  private @Nullable TrafficRequest counted(ParsedRecord record) {
    String reason = record.unreadable();
    if (reason == null) {
      count.read(record);
    } else {
      count.unreadable(file, record.line(), reason);
      giveUp(reason);
    }
    return record.request();
  }

  private void giveUp(String reason) {
    if (count.of(Kind.REQUESTS) == 0 && count.of(Kind.UNREADABLE) == HOPELESS) {
      throw new UserErrorException(
          ("none of the first %d lines of %s can be read: %s. Check --format, --columns, --time,"
                  + " --time-format, --subject and --cost.")
              .formatted(HOPELESS, file, reason));
    }
  }
}
