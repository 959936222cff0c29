package io.github.penstock.compat.outage;

import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Counts the limiters' log messages in the JDK's own logging. */
final class LoggedLines extends Handler implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("io.github.penstock");

  private final AtomicLong count = new AtomicLong();

  private LoggedLines() {}

  static LoggedLines counting() {
    LoggedLines lines = new LoggedLines();
    LOGGER.addHandler(lines);
    return lines;
  }

  long count() {
    return count.get();
  }

  @Override
  public void publish(LogRecord line) {
    count.incrementAndGet();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
  }
}
