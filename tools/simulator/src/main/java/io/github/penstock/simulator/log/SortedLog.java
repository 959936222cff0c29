package io.github.penstock.simulator.log;

import io.github.penstock.report.console.ProgressLine;
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
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * All requests of logs in the order of their times, for any order of files and lines; those of
 * equal times in their given order. Not safe for use by several threads.
 */
public final class SortedLog implements AutoCloseable {
  private static final long MOST_BYTES = 64L << 20;
  private static final int SHARE_OF_HEAP = 8;
  private static final int LONGEST_REASON = 400;
  private static final double MEGA = 1e6;
  private final LogSettings settings;
  private final LogCount count = new LogCount();
  private final RequestSorter sorter;
  private final SubjectCount subjects = new SubjectCount();
  private final HeavySubjects heavy = new HeavySubjects();
  private SubjectSample sample = SubjectSample.ALL;
  private long firstUs = Long.MAX_VALUE;
  private long newestUs;

  /**
   * Reads all of it. Throws a {@link UserErrorException} if it contains no request.
   *
   * @param err where progress is printed
   */
  public SortedLog(LogSettings settings, PrintWriter err) {
    this(settings, err, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
    checkThatSomeIsReadable();
  }

  SortedLog(LogSettings settings, PrintWriter err, long mostBytes) {
    this.settings = settings;
    this.sorter = new RequestSorter(mostBytes);
    boolean complete = false;
    ProgressLine progress = new ProgressLine(err);
    LongAdder bytes = new LongAdder();
    LogRequestReader reader =
        new LogRequestReader(
            settings,
            count,
            request -> {
              add(request);
              progress.update(
                  () -> "reading  %s MB%s".formatted(megabytes(bytes.sum()), ofAll(settings)));
            });
    try {
      for (String file : settings.files()) {
        newestUs = 0;
        reader.readAll(file, bytes::add);
      }
      take(settings.sample());
      complete = true;
    } finally {
      progress.clear();
      if (!complete) {
        sorter.close();
      }
    }
  }

  private static String ofAll(LogSettings settings) {
    return settings.bytes() < 0 ? "" : " of " + megabytes(settings.bytes());
  }

  private static String megabytes(long bytes) {
    return NumberText.tenths(bytes / MEGA);
  }

  private void add(TrafficRequest request) {
    if (request.timeUs() < newestUs) {
      count.add(Kind.PUT_IN_ORDER);
    }
    newestUs = Math.max(newestUs, request.timeUs());
    firstUs = Math.min(firstUs, request.timeUs());
    sorter.add(request);
    long hash = SubjectShare.hash(request.subject());
    if (settings.sample().has(hash)) {
      subjects.add(hash);
    }
    if (!settings.sample().isWhole()) {
      heavy.add(hash);
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

  public long size() {
    return sorter.size() - count.of(Kind.NOT_IN_SAMPLE);
  }

  public long subjects() {
    return subjects.about();
  }

  public SubjectSample sample() {
    return sample;
  }

  /** A time that none of them is earlier than. */
  public long firstUs() {
    return firstUs;
  }

  public RequestSource source() {
    return sorter.source(sample::has);
  }

  /** The requests of some subjects, from the first. */
  public RequestSource source(SubjectShare of) {
    return sorter.source(hash -> of.has(hash) && sample.has(hash));
  }

  @Override
  public void close() {
    sorter.close();
  }
}
