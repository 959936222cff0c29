package io.github.penstock.simulator.log;

import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.text.NumberText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells how much of the logs was read, how fast, and how long it takes still. The bytes are those
 * of the files, packed or not. Safe for use by two threads, one that reads and one that shows.
 */
public final class LogProgress implements AutoCloseable {
  private static final int WIDTH = 20;
  private static final double MEGA = 1e6;
  private final ProgressLine progress;
  private final String label;
  private final long total;
  private final long beginNanos = System.nanoTime();
  private final AtomicLong read = new AtomicLong();

  /** On standard error. */
  public LogProgress(PrintWriter err, String label, LogSettings settings) {
    this.progress = new ProgressLine(err, Duration.ofSeconds(30));
    this.label = label;
    this.total = size(settings);
  }

  private static long size(LogSettings settings) {
    if (settings.readOnce().isPresent()) {
      return -1;
    }
    return settings.files().stream().mapToLong(file -> Path.of(file).toFile().length()).sum();
  }

  /** Hears that so many bytes more were read. */
  void read(long bytes) {
    read.addAndGet(bytes);
  }

  /** Shows where it is, not too often. */
  void show(long requests) {
    progress.update(() -> line(requests, (System.nanoTime() - beginNanos) / 1e9));
  }

  /** Takes the line away. */
  @Override
  public void close() {
    progress.clear();
  }

  String line(long requests, double seconds) {
    String done =
        NumberText.count(requests)
            + " requests, "
            + NumberText.count(requests / seconds)
            + " a second";
    if (total <= 0) {
      return label + "  " + NumberText.tenths(read.get() / MEGA) + " MB read, " + done;
    }
    double part = Math.min(1, (double) read.get() / total);
    int full = (int) (part * WIDTH);
    return String.format(
        Locale.ROOT,
        "%s  [%s%s] %3.0f %% of %s MB, %s%s",
        label,
        "#".repeat(full),
        "-".repeat(WIDTH - full),
        100 * part,
        NumberText.tenths(total / MEGA),
        done,
        part < 0.01 ? "" : ", " + NumberText.clock(seconds / part - seconds) + " left");
  }
}
