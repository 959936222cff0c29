package io.github.penstock.benchmarks.compare.log;

import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.compare.Request;
import io.github.penstock.benchmarks.compare.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of logs, in the order of their times, read ahead by a thread of its own. Closing it
 * ends that thread. Not safe for use by several threads.
 */
public final class LogSource implements Source, AutoCloseable {
  private static final int AT_ONCE = 512;
  private static final int BATCHES = 16;
  private static final long PATIENCE_MILLIS = 200;
  private final LogOptions options;
  private final Progress progress;
  private final LogCount count = new LogCount();
  private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
  private final Queue<Request> ready = new ArrayDeque<>();
  private final Thread reader = new Thread(this::read, "log-reader");
  private List<Request> filling = new ArrayList<>(AT_ONCE);
  private boolean ended;

  /** Begins to read. */
  public LogSource(LogOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  public boolean isReady() {
    if (!ready.isEmpty() || ended) {
      return true;
    }
    try {
      Batch batch = batches.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (batch != null) {
        take(batch);
      }
      return batch != null;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new Complaint("stopped.");
    }
  }

  @Override
  public @Nullable Request next() {
    while (!isReady()) {}
    return ready.poll();
  }

  /** What was read and what was not, complete after {@link #next} gave null. */
  public LogCount count() {
    return count;
  }

  @Override
  public void close() {
    reader.interrupt();
  }

  private void take(Batch batch) {
    if (batch.failure != null) {
      ended = true;
      throw batch.failure;
    }
    ready.addAll(batch.requests);
    ended = batch.requests.isEmpty();
  }

  private void read() {
    try {
      Ordered ordered = new Ordered(count, this::put);
      List<LogReader> logs = new ArrayList<>();
      try {
        for (String file : options.files()) {
          logs.add(new LogReader(file, options, count, progress.file()));
        }
        merge(logs, ordered);
      } finally {
        logs.forEach(LogReader::close);
      }
      ordered.end();
      flush();
      batches.put(new Batch(List.of(), null));
    } catch (RuntimeException | OutOfMemoryError failure) {
      fail(failure);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /* Always the earliest of what is next in each. */
  private static void merge(List<LogReader> logs, Ordered ordered) {
    Queue<Head> heads = new PriorityQueue<>(Comparator.comparingLong(head -> head.next.timeUs()));
    logs.forEach(log -> add(heads, log));
    while (!heads.isEmpty()) {
      Head head = heads.remove();
      ordered.accept(head.next);
      add(heads, head.log);
    }
  }

  private static void add(Queue<Head> heads, LogReader log) {
    Request next = log.next();
    if (next == null) {
      log.close();
    } else {
      heads.add(new Head(log, next));
    }
  }

  private record Head(LogReader log, Request next) {}

  private void fail(Throwable failure) {
    RuntimeException shown =
        failure instanceof RuntimeException known
            ? known
            : new Complaint(
                "the Java heap is full: give it more, JAVA_TOOL_OPTIONS=-Xmx4g.", failure);
    try {
      batches.put(new Batch(List.of(), shown));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(Request request) {
    filling.add(request);
    if (filling.size() == AT_ONCE) {
      try {
        flush();
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
        throw new Complaint("stopped.", closed);
      }
    }
  }

  private void flush() throws InterruptedException {
    if (!filling.isEmpty()) {
      batches.put(new Batch(filling, null));
      filling = new ArrayList<>(AT_ONCE);
    }
  }

  private record Batch(List<Request> requests, @Nullable RuntimeException failure) {}
}
