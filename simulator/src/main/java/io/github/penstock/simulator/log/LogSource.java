package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
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
public final class LogSource implements RequestSource, AutoCloseable {
  private static final int AT_ONCE = 512;
  private static final int SHOWN_EVERY = 1_000;
  private static final int BATCHES = 16;
  private static final long PATIENCE_MILLIS = 200;
  private final LogSettings settings;
  private final LogProgress progress;
  private final LogCount count = new LogCount();
  private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
  private final Queue<TrafficRequest> ready = new ArrayDeque<>();
  private final Thread reader = new Thread(this::read, "log-reader");
  private List<TrafficRequest> filling = new ArrayList<>(AT_ONCE);
  private boolean ended;
  private long requests;

  /** Begins to read. */
  public LogSource(LogSettings settings, LogProgress progress) {
    this.settings = settings;
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
      } else {
        progress.show(requests);
      }
      return batch != null;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UserErrorException("stopped.");
    }
  }

  @Override
  public @Nullable TrafficRequest next() {
    while (!isReady()) {}
    if (++requests % SHOWN_EVERY == 0) {
      progress.show(requests);
    }
    return ready.poll();
  }

  /** Counts of what was read and what was not, complete after {@link #next} gave null. */
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
      ReorderBuffer ordered = new ReorderBuffer(count, this::put);
      List<LogReader> logs = new ArrayList<>();
      try {
        for (String file : settings.files()) {
          logs.add(new LogReader(file, settings, count, progress::read));
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
  private static void merge(List<LogReader> logs, ReorderBuffer ordered) {
    Queue<Head> heads = new PriorityQueue<>(Comparator.comparingLong(head -> head.next.timeUs()));
    logs.forEach(log -> add(heads, log));
    while (!heads.isEmpty()) {
      Head head = heads.remove();
      ordered.accept(head.next);
      add(heads, head.log);
    }
  }

  private static void add(Queue<Head> heads, LogReader log) {
    TrafficRequest next = log.next();
    if (next == null) {
      log.close();
    } else {
      heads.add(new Head(log, next));
    }
  }

  private record Head(LogReader log, TrafficRequest next) {}

  private void fail(Throwable failure) {
    RuntimeException shown =
        failure instanceof RuntimeException known
            ? known
            : new UserErrorException(
                "the Java heap is full: give it more, JAVA_TOOL_OPTIONS=-Xmx4g.", failure);
    try {
      batches.put(new Batch(List.of(), shown));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(TrafficRequest request) {
    filling.add(request);
    if (filling.size() == AT_ONCE) {
      try {
        flush();
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
        throw new UserErrorException("stopped.", closed);
      }
    }
  }

  private void flush() throws InterruptedException {
    if (!filling.isEmpty()) {
      batches.put(new Batch(filling, null));
      filling = new ArrayList<>(AT_ONCE);
    }
  }

  private record Batch(List<TrafficRequest> requests, @Nullable RuntimeException failure) {}
}
