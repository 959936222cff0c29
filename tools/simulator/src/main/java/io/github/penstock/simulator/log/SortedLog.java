package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * All requests of logs in the order of their times, for any order of files and lines; those of
 * equal times in their given order. Not safe for use by several threads.
 */
public final class SortedLog implements AutoCloseable {
  private static final long MOST_BYTES = 64L << 20;
  private static final int SHARE_OF_HEAP = 8;
  private static final int LONGEST_REASON = 400;
  private final LogSettings settings;
  private final LogCount count = new LogCount();
  private final RequestSorter sorter;
  private final SubjectCount subjects = new SubjectCount();
  private final HeavySubjects heavy = new HeavySubjects();
  private SubjectSample sample = SubjectSample.ALL;
  private long firstUs = Long.MAX_VALUE;

  /**
   * Reads all of it. Throws a {@link UserErrorException} if it contains no request.
   *
   * @param threads threads that parse the records; the result does not depend on their number
   * @param err where progress is printed
   */
  public SortedLog(LogSettings settings, int threads, PrintWriter err) {
    this(
        settings,
        threads,
        err,
        Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
    checkThatSomeIsReadable();
  }

  SortedLog(LogSettings settings, int threads, PrintWriter err, long mostBytes) {
    this.settings = settings;
    this.sorter = new RequestSorter(mostBytes);
    boolean complete = false;
    ExecutorService parsing = Executors.newFixedThreadPool(threads, SortedLog::thread);
    try (LogProgress progress = LogProgress.reading(err, settings)) {
      settings.files().forEach(file -> read(file, parsing, progress));
      take(settings.sample());
      complete = true;
    } finally {
      parsing.shutdownNow();
      if (!complete) {
        sorter.close();
      }
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "parse");
    thread.setDaemon(true);
    return thread;
  }

  private void read(String file, Executor parsing, LogProgress progress) {
    try (LogReader log = new LogReader(file, settings, count, parsing, progress::read)) {
      long newestUs = 0;
      for (TrafficRequest request = log.next(); request != null; request = log.next()) {
        if (request.timeUs() < newestUs) {
          count.add(Kind.PUT_IN_ORDER);
        }
        newestUs = Math.max(newestUs, request.timeUs());
        sorter.add(request);
        firstUs = Math.min(firstUs, request.timeUs());
        long hash = SubjectShare.hash(request.subject());
        if (settings.sample().has(hash)) {
          subjects.add(hash);
        }
        if (!settings.sample().isWhole()) {
          heavy.add(hash);
        }
        progress.show(count.of(Kind.REQUESTS));
      }
    }
  }

  private void take(SubjectShare share) {
    if (!share.isWhole()) {
      sample = new SubjectSample(share, heavy.all(), sorter.size());
      RequestSource kept = source();
      long left = sorter.size();
      while (kept.next() != null) {
        left--;
      }
      count.add(Kind.NOT_IN_SAMPLE, left);
    }
  }

  private void checkThatSomeIsReadable() {
    String files = settings.names();
    List<String> reasons =
        Stream.concat(count.complaints().stream(), count.cutShort().stream()).toList();
    if (size() > 0) {
      return;
    }
    if (count.of(Kind.REQUESTS) > 0) {
      throw new UserErrorException(
          "no subject of %s is in the sample of %s: choose a larger --sample."
              .formatted(files, settings.sample()));
    }
    if (count.of(Kind.LEFT_OUT) > 0) {
      throw new UserErrorException(
          "--where leaves out all %s of %s: check its values."
              .formatted(NumberText.count(count.of(Kind.LEFT_OUT), "request"), files));
    }
    if (count.of(Kind.WITHOUT_SUBJECT) > 0) {
      throw new UserErrorException(
          "no request of %s has a %s: name another --subject, such as address."
              .formatted(files, settings.subject()));
    }
    throw new UserErrorException(
        reasons.isEmpty()
            ? "there is no request in " + files + "."
            : "nothing in %s can be read: %s."
                .formatted(files, SafeText.terminal(reasons.get(0), LONGEST_REASON)));
  }

  /** Which logs they are. */
  public LogSettings settings() {
    return settings;
  }

  /** Counts of the records that were read and that were not. */
  public LogCount count() {
    return count;
  }

  /** Returns how many requests were kept. */
  public long size() {
    return sorter.size() - count.of(Kind.NOT_IN_SAMPLE);
  }

  /** Returns about how many subjects made them. */
  public long subjects() {
    return subjects.about();
  }

  /** The subjects whose requests were kept. */
  public SubjectSample sample() {
    return sample;
  }

  /** A time that none of them is earlier than. */
  public long firstUs() {
    return firstUs;
  }

  /** The requests, from the first. */
  public RequestSource source() {
    return sorter.source(sample::has);
  }

  /** The requests, from the first; tells how many of them were asked for. */
  public RequestSource source(LogProgress progress) {
    return source(progress, SubjectShare.ALL);
  }

  /** The requests of some subjects, from the first. */
  public RequestSource source(LogProgress progress, SubjectShare of) {
    RequestSource source = sorter.source(hash -> of.has(hash) && sample.has(hash));
    return () -> {
      progress.next();
      return source.next();
    };
  }

  @Override
  public void close() {
    sorter.close();
  }
}
