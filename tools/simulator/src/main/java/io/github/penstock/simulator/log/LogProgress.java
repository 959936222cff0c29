package io.github.penstock.simulator.log;

import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.text.NumberText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows how much of the logs was read or played, how fast, and how long it will still take. For
 * files that are read, it counts bytes, packed or not. Not safe for use by several threads.
 */
public final class LogProgress implements AutoCloseable {
  private static final int WIDTH = 10;
  private static final double MEGA = 1e6;
  private final ProgressLine progress;
  private final String label;
  private final long total;
  private final String of;
  private final String pace;
  private final long beginNanos = System.nanoTime();
  private long bytes;
  private long requests;

  /* A total of -1 is unknown. */
  private LogProgress(PrintWriter err, String label, long total, String of, String pace) {
    this.progress = new ProgressLine(err, Duration.ofSeconds(30));
    this.label = label;
    this.total = total;
    this.of = of;
    this.pace = pace;
  }

  static LogProgress reading(PrintWriter err, LogSettings settings) {
    long total = settings.bytes();
    return new LogProgress(
        err, "reading", total, NumberText.tenths(total / MEGA) + " MB", "requests a second");
  }

  /** Of all requests of a log. */
  public static LogProgress playing(PrintWriter err, SortedLog log) {
    long total = log.size();
    return new LogProgress(err, "playing", total, NumberText.count(total, "request"), "a second");
  }

  /** Receives the number of further bytes that were read. */
  void read(long more) {
    bytes += more;
  }

  /** Shows how many requests were read, not too often. */
  void show(long number) {
    requests = number;
    progress.update(() -> line(bytes, requests, seconds()));
  }

  /** Hears that one more request is played. */
  void next() {
    requests++;
    progress.update(() -> line(requests, requests, seconds()));
  }

  private double seconds() {
    return (System.nanoTime() - beginNanos) / 1e9;
  }

  /** Takes the line away. */
  @Override
  public void close() {
    progress.clear();
  }

  private String line(long done, long number, double seconds) {
    String rate = NumberText.count(number / seconds) + " " + pace;
    if (total <= 0) {
      return label + "  " + NumberText.tenths(done / MEGA) + " MB, " + rate;
    }
    double part = Math.min(1, (double) done / total);
    int full = (int) (part * WIDTH);
    return String.format(
        Locale.ROOT,
        "%s  [%s%s] %.0f %% of %s, %s%s",
        label,
        "#".repeat(full),
        "-".repeat(WIDTH - full),
        Math.floor(100 * part),
        of,
        rate,
        part < 0.01 ? "" : ", " + NumberText.clock(seconds / part - seconds) + " left");
  }
}
