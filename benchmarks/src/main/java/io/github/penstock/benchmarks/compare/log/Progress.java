package io.github.penstock.benchmarks.compare.log;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A bar on a terminal: how much of the logs was read, how fast, how long it takes still; a line now
 * and then elsewhere. The bytes are those of the files, packed or not. Safe for use by two threads,
 * one that reads and one that shows.
 */
public final class Progress {
  private static final int WIDTH = 20;
  private static final long SHOWN_EVERY_NANOS = 200_000_000;
  private static final long TOLD_EVERY_NANOS = 30_000_000_000L;
  private static final double MEGA = 1e6;
  private final PrintWriter err;
  private final boolean terminal;
  private final String label;
  private final long total;
  private final long beginNanos = System.nanoTime();
  private final AtomicLong read = new AtomicLong();
  private long shownNanos = beginNanos;

  private Progress(PrintWriter err, boolean terminal, String label, long total) {
    this.err = err;
    this.terminal = terminal;
    this.label = label;
    this.total = total;
  }

  /** A bar on standard error, or every half minute a line if that is no terminal. */
  public static Progress of(PrintWriter err, String label, LogOptions options) {
    return new Progress(err, isTerminal(), label, size(options.files()));
  }

  /* The launcher knows; without it, Java knows only of all three streams together. */
  private static boolean isTerminal() {
    String told = System.getProperty("penstock.terminal");
    return told == null ? System.console() != null : told.equals("true");
  }

  private static long size(List<String> files) {
    long sum = 0;
    for (String file : files) {
      try {
        if (LogOptions.readOnce(file)) {
          return -1;
        }
        sum += Files.size(Path.of(file));
      } catch (IOException unknown) {
        return -1;
      }
    }
    return sum;
  }

  /** Hears of one file how many of its bytes were read. */
  LongConsumer file() {
    AtomicLong known = new AtomicLong();
    return bytes -> read.addAndGet(bytes - known.getAndSet(bytes));
  }

  /** Shows where it is, not too often. */
  public void show(long requests) {
    long now = System.nanoTime();
    if (now - shownNanos > (terminal ? SHOWN_EVERY_NANOS : TOLD_EVERY_NANOS)) {
      shownNanos = now;
      String line = line(requests, (now - beginNanos) / 1e9);
      err.print(terminal ? "\r" + line + "\u001b[K" : line + System.lineSeparator());
      err.flush();
    }
  }

  /** Takes the bar away. */
  public void end() {
    if (terminal) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  String line(long requests, double seconds) {
    double bytes = read.get();
    String done =
        String.format(Locale.ROOT, "%,d requests, %,.0f a second", requests, requests / seconds);
    if (total <= 0) {
      return String.format(Locale.ROOT, "%s  %,.1f MB read, %s", label, bytes / MEGA, done);
    }
    double part = Math.min(1, bytes / total);
    int full = (int) (part * WIDTH);
    long left = Math.round(seconds / Math.max(part, 1e-6) - seconds);
    return String.format(
        Locale.ROOT,
        "%s  [%s%s] %3.0f %% of %,.1f MB, %s%s",
        label,
        "#".repeat(full),
        "-".repeat(WIDTH - full),
        100 * part,
        total / MEGA,
        done,
        part < 0.01 ? "" : String.format(Locale.ROOT, ", %d:%02d left", left / 60, left % 60));
  }
}
